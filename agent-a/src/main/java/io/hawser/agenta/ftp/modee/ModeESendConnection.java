package io.hawser.agenta.ftp.modee;

import io.hawser.agenta.ftp.data.DataConnection;
import io.hawser.agenta.ftp.data.DataOutput;
import io.hawser.core.ftp.BlockHeader;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One data connection that this end sends blocks on, for one transfer after the other.
 *
 * <p>Thread: the loop.
 */
public final class ModeESendConnection implements DataOutput.Flow {
    private final DataOutput output;
    private DataOutput.@Nullable Flow user;
    private boolean dead;

    @SuppressWarnings("this-escape") // the flow is called later, on this thread
    ModeESendConnection(DataConnection channel) {
        this.output = channel.output(this);
    }

    /** The transfer that sends from now on; null if none does, and the connection waits. */
    public void use(DataOutput.@Nullable Flow next) {
        user = next;
    }

    boolean isOpen() {
        return !dead;
    }

    /** Whether a block may be sent now. */
    public boolean isWritable() {
        return output.isWritable();
    }

    /** Sends a copy of {@code bytes} as the block at {@code offset}. */
    public void block(long offset, ByteBuffer bytes) {
        int length = bytes.remaining();
        ByteBuf block = Unpooled.directBuffer(BlockHeader.LENGTH_BYTES + length);
        block.writeByte(0).writeLong(length).writeLong(offset).writeBytes(bytes);
        output.write(block);
    }

    /**
     * Ends the transfer on this connection.
     *
     * @param connections how many end theirs, on one of them; 0 on the others
     * @param done gets null when all has been handed to the system, or the cause of a failure
     */
    public void end(int connections, Consumer<@Nullable Throwable> done) {
        ByteBuf block = Unpooled.directBuffer(BlockHeader.LENGTH_BYTES);
        block.writeByte(connections > 0 ? BlockHeader.EOF | BlockHeader.EOD : BlockHeader.EOD);
        output.write(block.writeLong(0).writeLong(connections));
        output.flush(done);
    }

    /** Closes the connection: in an orderly way between transfers, and within one so that its peer sees that it broke. */
    void close() {
        boolean inUse = user != null;
        dead = true;
        user = null;
        if (inUse) {
            output.reset();
        } else {
            output.finish(ignored -> {});
        }
    }

    @Override
    public void writable() {
        if (user != null) {
            user.writable();
        }
    }

    @Override
    public void progressed() {
        if (user != null) {
            user.progressed();
        }
    }

    @Override
    public void broken(Throwable cause) {
        dead = true;
        DataOutput.Flow told = user;
        user = null;
        if (told != null) {
            told.broken(cause);
        }
    }
}
