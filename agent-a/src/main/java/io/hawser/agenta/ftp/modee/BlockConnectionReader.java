package io.hawser.agenta.ftp.modee;

import io.hawser.agenta.ftp.data.DataConnection;
import io.hawser.agenta.upload.ByteSink;
import io.hawser.agenta.upload.FragmentAssembly;
import io.hawser.core.ftp.BlockHeader;
import io.hawser.core.ftp.MalformedBlockException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One data connection's part in one transfer: headers are read into a few bytes of its own, payloads straight to where the
 * assembly says. After its EOD it reads no more: what follows belongs to the next transfer.
 *
 * <p>Thread: the loop.
 */
final class BlockConnectionReader implements ByteSink {
    private final ModeEReceiver receiver;
    private final FragmentAssembly assembly;
    private final DataConnection channel;
    private final BlockDecoder decoder = new BlockDecoder();
    private long shift;
    private final ByteBuf header = Unpooled.wrappedBuffer(ByteBuffer.allocateDirect(BlockHeader.LENGTH_BYTES));

    /** Receives from {@code channel}. */
    BlockConnectionReader(ModeEReceiver receiver, FragmentAssembly assembly, DataConnection channel) {
        this.receiver = receiver;
        this.assembly = assembly;
        this.channel = channel;
    }

    DataConnection channel() {
        return channel;
    }

    /** Whether nothing of this transfer came over this connection. */
    boolean isUntouched() {
        return !decoder.hasBegun();
    }

    /** Whether the sender said that it closes this connection after its EOD. */
    boolean closes() {
        return decoder.closes();
    }

    @Override
    public boolean hasSpace() {
        return decoder.headerMissing() > 0
                || (decoder.remaining() > 0 && assembly.hasSpace(shift + decoder.position()));
    }

    @Override
    public @Nullable ByteBuf space() {
        int missing = decoder.headerMissing();
        if (missing > 0) {
            int have = BlockHeader.LENGTH_BYTES - missing;
            return header.setIndex(have, have).retain();
        }
        return decoder.remaining() > 0 ? assembly.space(shift + decoder.position(), decoder.remaining()) : null;
    }

    @Override
    public void whenSpace(Runnable again) {
        if (!decoder.ended()) {
            assembly.whenSpace(again);
        }
    }

    @Override
    public void received(int length) {
        try {
            if (decoder.headerMissing() > 0) {
                int have = BlockHeader.LENGTH_BYTES - decoder.headerMissing();
                BlockHeader block = decoder.header(header.nioBuffer(have, length));
                if (block != null) {
                    shift = receiver.blockBegins(block);
                }
            } else {
                long position = shift + decoder.position();
                decoder.payload(length);
                assembly.received(position, length);
            }
            if (decoder.ended()) {
                receiver.connectionDone(this);
            }
        } catch (MalformedBlockException e) {
            receiver.malformed(e);
        }
    }

    @Override
    public void ended() {
        receiver.connectionLost(this, "a data connection was closed before its EOD");
    }

    @Override
    public void broken(Throwable cause) {
        receiver.connectionLost(this, "a data connection broke: " + cause.getMessage());
    }
}
