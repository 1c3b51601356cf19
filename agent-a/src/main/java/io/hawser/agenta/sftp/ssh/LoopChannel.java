package io.hawser.agenta.sftp.ssh;

import java.io.InputStream;
import java.io.OutputStream;
import java.util.concurrent.Executor;
import org.apache.sshd.common.io.IoInputStream;
import org.apache.sshd.common.io.IoOutputStream;
import org.apache.sshd.server.Environment;
import org.apache.sshd.server.ExitCallback;
import org.apache.sshd.server.channel.ChannelDataReceiver;
import org.apache.sshd.server.channel.ChannelSession;
import org.apache.sshd.server.command.AsyncCommand;

/**
 * A channel as MINA sees it, whose bytes go to a session on the loop. A client may send more when the session has used what came: MINA's
 * window is the only memory that it can take.
 *
 * <p>Thread: MINA's.
 */
abstract class LoopChannel implements AsyncCommand, ChannelDataReceiver {
    final Executor loop;
    final ChannelOutlet outlet;

    LoopChannel(ChannelSession channel, Executor writers, Executor loop) {
        this.loop = loop;
        this.outlet = new ChannelOutlet(channel, writers, loop);
    }

    /** The client sends nothing more, or is gone. */
    @Override
    public abstract void close();

    @Override
    public void start(ChannelSession channel, Environment environment) {
        // It began with its first bytes.
    }

    @Override
    public void destroy(ChannelSession channel) {
        close();
    }

    @Override
    public void setIoOutputStream(IoOutputStream stream) {
        outlet.output(stream);
    }

    @Override
    public void setExitCallback(ExitCallback callback) {
        outlet.exit(callback);
    }

    @Override
    public void setIoInputStream(IoInputStream stream) {
        // Bytes come by data().
    }

    @Override
    public void setIoErrorStream(IoOutputStream stream) {
        // Nothing is said there.
    }

    @Override
    public void setInputStream(InputStream stream) {
        // Bytes come by data().
    }

    @Override
    public void setOutputStream(OutputStream stream) {
        // Bytes go by setIoOutputStream.
    }

    @Override
    public void setErrorStream(OutputStream stream) {
        // Nothing is said there.
    }
}
