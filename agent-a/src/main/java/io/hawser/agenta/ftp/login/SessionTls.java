package io.hawser.agenta.ftp.login;

import io.hawser.agenta.ftp.control.ControlChannel;
import io.hawser.agenta.ftp.control.FtpReply;
import io.hawser.agenta.ftp.data.DataConnection;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.util.Objects;
import java.util.concurrent.Executor;
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
    private final ControlChannel control;
    private final @Nullable FtpTls tls;
    private final Executor handshakes;
    private final Runnable notResumed;
    private final TlsProtection protection = new TlsProtection();
    /** Holds the sessions of this control connection and its data connections, and no others. */
    private @Nullable SslContext context;

    private @Nullable SSLEngine engine;
    private boolean missingReuseNoted;

    /**
     * @param tls what the server offers, or null
     * @param handshakes where the control connection's handshake computes
     * @param notResumed is run once, if a data connection does not resume the control connection's TLS session
     */
    public SessionTls(ControlChannel control, @Nullable FtpTls tls, Executor handshakes, Runnable notResumed) {
        this.control = control;
        this.handshakes = handshakes;
        this.tls = tls;
        this.notResumed = notResumed;
    }

    public boolean isRequired() {
        return tls != null && tls.required();
    }

    /** What it protects. */
    public TlsProtection protection() {
        return protection;
    }

    /** The connection begins with TLS, if TLS is offered. */
    public void fromTheBeginning() {
        if (tls != null) {
            protection.begun(true);
            protectControl(tls);
        }
    }

    private void protectControl(FtpTls offered) {
        SslContext fresh = offered.keys().newContext();
        context = fresh;
        engine = control.protect(fresh, handshakes);
    }

    /** Whether TLS can begin now. It cannot if the client has sent more after its command: that came in clear. */
    public boolean canStart() {
        return tls != null && control.pipeline().isNothingAhead();
    }

    /** Sends {@code reply} as the command's final reply and begins TLS; {@link #canStart} was true. */
    public void start(FtpReply reply) {
        protection.begun(false);
        control.send(reply);
        protectControl(Objects.requireNonNull(tls));
        control.pipeline().replySent();
    }

    /** Sends {@code reply} as the command's final reply and ends TLS on the control connection after it. */
    public void stop(FtpReply reply) {
        protection.controlCleared();
        control.stopTls(reply);
        control.pipeline().replySent();
    }

    /** Whether TLS is required and this session's control connection is clear. */
    public boolean isLacking() {
        return isRequired() && !protection.control();
    }

    /**
     * Puts TLS on a data connection, as the TLS server, whichever end connected (RFC 4217 section 7). One of the two is called, in this
     * call or later; after a failure the connection is closed.
     */
    public void secure(DataConnection channel, Runnable ready, Consumer<Throwable> failed) {
        SslContext own = context;
        if (tls == null || own == null) {
            channel.close();
            failed.accept(new IOException("the control connection has had no TLS"));
            return;
        }
        switch (tls.reuse()) {
            case REQUIRE -> channel.secureResumed(own, control.limits().times().dataConnect(), ready, failed);
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
            notResumed.run();
        }
    }
}
