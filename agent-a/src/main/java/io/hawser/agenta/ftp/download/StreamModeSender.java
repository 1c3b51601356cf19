package io.hawser.agenta.ftp.download;

import io.hawser.agenta.ftp.data.DataConnection;
import io.hawser.agenta.ftp.data.DataOutput;
import io.hawser.agenta.ftp.data.PendingDataConnection;
import io.hawser.agenta.ftp.session.DataPort;
import io.hawser.agenta.ftp.session.FtpSession;
import io.hawser.core.ftp.ReplyCode;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Sends something in stream mode, over the data connection that the session has prepared.
 *
 * <p>Thread: the loop.
 */
final class StreamModeSender extends FtpDataSender {
    private final String what;
    private final boolean ascii;
    private @Nullable PendingDataConnection pending;
    private @Nullable DataOutput output;

    StreamModeSender(FtpSession session, String what, boolean ascii, Content content) {
        super(session, content);
        this.what = what;
        this.ascii = ascii;
    }

    @Override
    public void begin() {
        session.transferBegins(this);
        String type = session.settings().ascii() ? "ASCII" : "BINARY";
        session.preliminary(ReplyCode.STARTING, "Opening " + type + " mode data connection for " + what + ".");
        pending = session.dataPort().take(this::connected, cause -> fail(DataPort.noConnection(cause)));
    }

    private void connected(DataConnection channel) {
        if (isDone()) {
            channel.close();
        } else {
            output = channel.output(this);
            connected();
        }
    }

    @Override
    boolean isConnected() {
        return output != null;
    }

    @Override
    boolean isWritable() {
        return output != null && output.isWritable();
    }

    @Override
    boolean sendSome() {
        return isWritable() && sendOne(this::write);
    }

    private void write(long offset, ByteBuffer bytes) {
        if (output != null && ascii) {
            output.write(withCrLf(bytes));
        } else if (output != null) {
            output.write(bytes);
        }
    }

    /**
     * A copy of {@code bytes} in TYPE A (RFC 959 section 3.1.1.1). Every LF becomes CR LF, so that an upload in TYPE A gives back the same
     * file.
     */
    private static ByteBuf withCrLf(ByteBuffer bytes) {
        ByteBuf wire = Unpooled.buffer(bytes.remaining() + bytes.remaining() / 16 + 16);
        while (bytes.hasRemaining()) {
            byte b = bytes.get();
            if (b == '\n') {
                wire.writeByte('\r');
            }
            wire.writeByte(b);
        }
        return wire;
    }

    @Override
    void sendEnd() {
        if (output != null) {
            output.finish(cause -> {
                if (cause == null) {
                    succeed();
                } else {
                    broken(cause);
                }
            });
        }
    }

    @Override
    void closeData() {
        if (output != null) {
            output.reset();
        } else if (pending != null) {
            pending.close();
        }
    }
}
