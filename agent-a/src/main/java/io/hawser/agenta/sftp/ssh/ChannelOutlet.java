package io.hawser.agenta.sftp.ssh;

import io.hawser.agenta.sftp.session.Outlet;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import org.apache.sshd.common.io.IoOutputStream;
import org.apache.sshd.common.io.IoWriteFuture;
import org.apache.sshd.common.util.buffer.ByteArrayBuffer;
import org.apache.sshd.server.ExitCallback;
import org.apache.sshd.server.channel.ChannelSession;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Packets on their way to a client: enciphered on a thread of the writers, one write at a time.
 *
 * <p>Thread: any.
 */
final class ChannelOutlet implements Outlet {
    private static final Logger LOG = LoggerFactory.getLogger(ChannelOutlet.class);
    /** So much is read ahead of a client that takes it slowly. */
    private static final int FULL_BYTES = 1 << 20;

    private static final int DRAINED_BYTES = FULL_BYTES / 2;
    /** Small packets go together. */
    private static final int WRITE_BYTES = 64 << 10;

    private final ChannelSession channel;
    private final Executor writers;
    private final Executor loop;
    private final ArrayDeque<byte[]> queue = new ArrayDeque<>();
    private @Nullable IoOutputStream output;
    private @Nullable ExitCallback exit;
    private @Nullable Runnable drained;
    private long queuedBytes;
    private long consumedBytes;
    private boolean writing;
    private boolean releasing;
    private boolean ending;
    private int status;
    private boolean over;

    ChannelOutlet(ChannelSession channel, Executor writers, Executor loop) {
        this.channel = channel;
        this.writers = writers;
        this.loop = loop;
    }

    synchronized void output(IoOutputStream stream) {
        output = stream;
    }

    synchronized void exit(ExitCallback callback) {
        exit = callback;
    }

    @Override
    public synchronized void send(byte[] packet) {
        if (over || ending) {
            return;
        }
        queue.add(packet);
        queuedBytes += packet.length;
        begin();
    }

    private void begin() {
        if (!writing && !over) {
            writing = true;
            writers.execute(this::write);
        }
    }

    @Override
    public synchronized boolean isFull() {
        return queuedBytes >= FULL_BYTES;
    }

    @Override
    public synchronized void whenDrained(Runnable again) {
        if (queuedBytes <= DRAINED_BYTES) {
            loop.execute(again);
        } else {
            drained = again;
        }
    }

    @Override
    public synchronized void consumed(int bytes) {
        consumedBytes += bytes;
        if (!releasing && !over) {
            releasing = true;
            writers.execute(this::release);
        }
    }

    /** Tells the client that it may send more. */
    private void release() {
        long bytes;
        synchronized (this) {
            releasing = false;
            bytes = consumedBytes;
            consumedBytes = 0;
        }
        try {
            channel.getLocalWindow().release(bytes);
        } catch (IOException | RuntimeException e) {
            gone(e);
        }
    }

    private void write() {
        byte[] bytes;
        IoOutputStream to;
        synchronized (this) {
            to = output;
            bytes = to == null ? new byte[0] : take();
            if (to == null || bytes.length == 0) {
                writing = false;
                if (ending) {
                    leave();
                }
                return;
            }
        }
        try {
            to.writeBuffer(new ByteArrayBuffer(bytes)).addListener(this::written);
        } catch (IOException | RuntimeException e) {
            gone(e);
        }
    }

    /** One large packet, or several small ones together. */
    private byte[] take() {
        List<byte[]> taken = new ArrayList<>();
        int length = 0;
        while (!queue.isEmpty() && (length == 0 || length + queue.getFirst().length <= WRITE_BYTES)) {
            byte[] packet = queue.remove();
            taken.add(packet);
            length += packet.length;
        }
        if (taken.size() == 1) {
            return taken.get(0);
        }
        byte[] together = new byte[length];
        int at = 0;
        for (byte[] packet : taken) {
            System.arraycopy(packet, 0, together, at, packet.length);
            at += packet.length;
        }
        return together;
    }

    private void written(IoWriteFuture write) {
        if (!write.isWritten()) {
            gone(write.getException());
            return;
        }
        synchronized (this) {
            queuedBytes = queue.stream().mapToLong(packet -> packet.length).sum();
            Runnable waiting = drained;
            if (waiting != null && queuedBytes <= DRAINED_BYTES) {
                drained = null;
                loop.execute(waiting);
            }
        }
        writers.execute(this::write); // not here: futures would nest
    }

    private void gone(@Nullable Throwable cause) {
        LOG.atDebug().setCause(cause).log("an SSH channel has ended");
        synchronized (this) {
            over = true;
            queue.clear();
        }
        channel.close(true);
    }

    @Override
    public void close(String why) {
        LOG.atWarn()
                .addKeyValue("peer", channel.getSession().getRemoteAddress())
                .addKeyValue("reason", why)
                .log("SFTP session closed");
        finish(1);
    }

    @Override
    public synchronized void finish(int exitStatus) {
        if (!ending && !over) {
            ending = true;
            status = exitStatus;
            begin();
        }
    }

    private void leave() {
        over = true;
        ExitCallback callback = exit;
        int exitStatus = status;
        if (callback != null) {
            writers.execute(() -> callback.onExit(exitStatus));
        }
    }
}
