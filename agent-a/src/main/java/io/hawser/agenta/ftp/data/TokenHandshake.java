package io.hawser.agenta.ftp.data;

import io.hawser.agenta.upload.ByteSink;
import io.hawser.gsi.GsiException;
import io.hawser.gsi.token.GsiExchange;
import io.hawser.gsi.token.TlsRecordHeader;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Authenticates both ends of a data connection whose data then go over it in clear (GSI with PROT C): tokens in front of the data, one
 * TLS record each. Exactly a record is read at a time, so that no byte of the data after it is touched.
 *
 * <p>Steps run elsewhere, one after the other; meanwhile nothing is read.
 *
 * <p>Thread: the loop.
 */
final class TokenHandshake implements ByteSink {
    private final DataConnection channel;
    private final GsiExchange exchange;
    private final Executor steps;
    private final Consumer<@Nullable Throwable> done;
    private final ScheduledFuture<?> timeout;
    private ByteBuf place = place(TlsRecordHeader.BYTES);
    private int have;
    private boolean working;
    private boolean over;
    private @Nullable Runnable again;

    /**
     * Makes one; {@link #begin} starts it.
     *
     * @param steps where the exchange's steps run
     * @param done gets null when the peer is the right one, or why not; then the connection is closed
     */
    TokenHandshake(
            DataConnection channel,
            GsiExchange exchange,
            Executor steps,
            Duration patience,
            Consumer<@Nullable Throwable> done) {
        this.channel = channel;
        this.exchange = exchange;
        this.steps = steps;
        this.done = done;
        this.timeout = channel.loop()
                .schedule(
                        () -> end(new IOException("the authentication of a data connection took too long")),
                        patience.toMillis(),
                        TimeUnit.MILLISECONDS);
    }

    private static ByteBuf place(int bytes) {
        return Unpooled.wrappedBuffer(ByteBuffer.allocateDirect(bytes));
    }

    /** Says the first token, if this end begins, and takes those of the peer. */
    void begin() {
        if (channel.wasDialled()) {
            step(new byte[0]);
        }
        channel.receive(this);
    }

    @Override
    public boolean hasSpace() {
        return !working && !over;
    }

    @Override
    public @Nullable ByteBuf space() {
        return hasSpace() ? place.setIndex(have, have).retain() : null;
    }

    @Override
    public void whenSpace(Runnable run) {
        again = run;
    }

    @Override
    public void received(int length) {
        have += length;
        if (have < place.capacity()) {
            return;
        }
        byte[] bytes = new byte[have];
        place.setIndex(0, have).getBytes(0, bytes);
        try {
            int whole = TlsRecordHeader.BYTES + TlsRecordHeader.contentLength(bytes);
            if (have == whole) {
                place = place(TlsRecordHeader.BYTES);
                have = 0;
                step(bytes);
            } else {
                place = place(whole);
                place.setBytes(0, bytes);
            }
        } catch (GsiException e) {
            end(e);
        }
    }

    private void step(byte[] token) {
        working = true;
        try {
            steps.execute(() -> {
                try {
                    byte[] reply = exchange.step(token);
                    channel.loop().execute(() -> stepped(reply));
                } catch (GsiException | RuntimeException e) {
                    channel.loop().execute(() -> end(e));
                }
            });
        } catch (RejectedExecutionException e) {
            end(new IOException("too many authentications at a time", e));
        }
    }

    private void stepped(byte[] reply) {
        working = false;
        if (over) {
            return;
        }
        if (reply.length > 0) {
            channel.send(reply);
        }
        if (exchange.isDone()) {
            end(null);
        } else {
            Runnable wake = again;
            again = null;
            if (wake != null) {
                wake.run();
            }
        }
    }

    private void end(@Nullable Throwable cause) {
        if (over) {
            return;
        }
        over = true;
        timeout.cancel(false);
        if (cause == null) {
            channel.rest();
            done.accept(null);
        } else {
            channel.close();
            done.accept(new PeerRefusedException(String.valueOf(cause.getMessage()), cause));
        }
    }

    @Override
    public void ended() {
        end(new IOException("the peer closed the connection"));
    }

    @Override
    public void broken(Throwable cause) {
        end(cause);
    }
}
