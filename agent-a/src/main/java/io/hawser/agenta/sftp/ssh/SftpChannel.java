package io.hawser.agenta.sftp.ssh;

import io.hawser.agenta.sftp.session.Outlet;
import io.hawser.agenta.sftp.session.SftpSession;
import io.hawser.agenta.sftp.wire.BadPacketException;
import io.hawser.agenta.sftp.wire.PacketFramer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.apache.sshd.server.channel.ChannelSession;

/**
 * The channel of one SFTP session: bytes of the client become packets here.
 *
 * <p>Thread: MINA's.
 */
final class SftpChannel extends LoopChannel {
    private final SftpSession session;
    private final PacketFramer framer = new PacketFramer();

    /** @param sessions makes the session over the way to the client */
    SftpChannel(ChannelSession channel, Executor writers, Executor loop, Function<Outlet, SftpSession> sessions) {
        super(channel, writers, loop);
        this.session = sessions.apply(outlet);
        channel.setDataReceiver(this);
    }

    @Override
    public int data(ChannelSession from, byte[] bytes, int start, int count) {
        List<byte[]> packets = new ArrayList<>();
        try {
            framer.add(bytes, start, count, packets);
        } catch (BadPacketException e) {
            outlet.close(e.what());
            close();
            return 0;
        }
        if (!packets.isEmpty()) {
            loop.execute(() -> session.received(packets));
        }
        return 0;
    }

    @Override
    public void close() {
        loop.execute(() -> {
            session.ended();
            outlet.finish(0);
        });
    }
}
