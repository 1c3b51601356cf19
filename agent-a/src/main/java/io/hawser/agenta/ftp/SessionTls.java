package io.hawser.agenta.ftp;

import io.hawser.agenta.data.DataChannel;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.util.function.Consumer;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * TLS of one session: what it protects, how it begins and ends on the control connection, and how data connections share it
 * (RFC 4217).
 *
 * <p>Thread: the loop.
 */
public final class SessionTls {
    private final FtpSession session;
    private final ControlChannel control;
    private final CommandQueue commands;
    private final Protection protection = new Protection();
    /** Holds the sessions of this control connection and its data connections, and no others. */
    private @Nullable SslContext context;

    private @Nullable SSLEngine engine;
    private boolean missingReuseNoted;

    SessionTls(FtpSession session, ControlChannel control, CommandQueue commands) {
        this.session = session;
        this.control = control;
        this.commands = commands;
    }

    /** What it protects. */
    public Protection protection() {
        return protection;
    }

    /** The connection begins with TLS. */
    void fromTheBeginning(FtpTls tls) {
        protection.begun(true);
        protectControl(tls);
    }

    private void protectControl(FtpTls tls) {
        SslContext fresh = tls.keys().newContext();
        context = fresh;
        engine = control.protect(fresh);
    }

    /**
     * Sends {@code reply} as the command's final reply and begins TLS behind it; a login must be made anew. False, with no reply
     * sent, if the client has sent more behind its command already: that came in clear.
     */
    public boolean start(FtpReply reply) {
        FtpTls tls = session.server().config().tls();
        if (tls == null || !commands.isEmpty() || !control.isQuiet()) {
            return false;
        }
        session.login().forget();
        session.settings().reset();
        session.dataPaths().close();
        protection.begun(false);
        commands.replied();
        control.send(reply);
        protectControl(tls);
        return true;
    }

    /** Sends {@code reply} as the command's final reply and ends TLS on the control connection behind it. */
    public void stop(FtpReply reply) {
        protection.controlCleared();
        control.stopTls(reply);
        commands.replied();
        commands.pump();
    }

    /** Whether TLS is required and this session's control connection is clear. */
    public boolean isLacking() {
        FtpTls tls = session.server().config().tls();
        return tls != null && tls.required() && !protection.control();
    }

    /**
     * Puts TLS on a data connection, as the TLS server, whichever end connected (RFC 4217 section 7). One of the two is called, in this
     * call or later; after a failure the connection is closed.
     */
    void secure(DataChannel channel, Runnable ready, Consumer<Throwable> failed) {
        FtpTls tls = session.server().config().tls();
        SslContext own = context;
        if (tls == null || own == null) {
            channel.close();
            failed.accept(new IOException("the control connection has had no TLS"));
            return;
        }
        switch (tls.reuse()) {
            case REQUIRE -> channel.secureResumed(own, session.server().limits().dataConnectTime(), ready, failed);
            case PREFER -> {
                channel.secure(own, this::lookAtReuse);
                ready.run();
            }
            case OFF -> {
                channel.secure(own, agreed -> {});
                ready.run();
            }
        }
    }

    /** A resumed session has the creation time of the one that it continues. */
    private void lookAtReuse(SSLSession agreed) {
        boolean resumed = engine != null && engine.getSession().getCreationTime() == agreed.getCreationTime();
        if (!resumed && !missingReuseNoted) {
            missingReuseNoted = true;
            session.dialogue().audit().dataSessionNotResumed();
        }
    }
}
