package io.hawser.agenta.sftp.ssh;

import io.hawser.agenta.sftp.session.ByteSession;
import io.hawser.agenta.sftp.session.Outlet;
import java.util.Arrays;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.apache.sshd.server.Environment;
import org.apache.sshd.server.channel.ChannelSession;

/**
 * The channel of a command of scp's older protocol.
 *
 * <p>Thread: MINA's.
 */
final class ScpChannel extends LoopChannel {
    private final ByteSession session;

    /** @param sessions makes the session over the way to the client */
    ScpChannel(ChannelSession channel, Executor writers, Executor loop, Function<Outlet, ByteSession> sessions) {
        super(channel, writers, loop);
        this.session = sessions.apply(outlet);
        channel.setDataReceiver(this);
    }

    @Override
    public void start(ChannelSession channel, Environment environment) {
        loop.execute(session::begin);
    }

    @Override
    public int data(ChannelSession from, byte[] bytes, int start, int count) {
        byte[] copy = Arrays.copyOfRange(bytes, start, start + count);
        loop.execute(() -> session.received(copy));
        return 0;
    }

    @Override
    public void close() {
        loop.execute(session::ended);
    }
}
