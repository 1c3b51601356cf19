package io.hawser.agenta.ftp;

/**
 * TLS of one session: what it protects, and how it begins and ends on the control connection (RFC 4217).
 *
 * <p>Thread: the loop.
 */
public final class SessionTls {
    private final FtpSession session;
    private final ControlChannel control;
    private final CommandQueue commands;
    private final Protection protection = new Protection();

    SessionTls(FtpSession session, ControlChannel control, CommandQueue commands) {
        this.session = session;
        this.control = control;
        this.commands = commands;
    }

    /** What it protects. */
    public Protection protection() {
        return protection;
    }

    /** The connection began with TLS. */
    void fromTheBeginning() {
        protection.begun(true);
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
        control.startTls(reply, tls.context());
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
}
