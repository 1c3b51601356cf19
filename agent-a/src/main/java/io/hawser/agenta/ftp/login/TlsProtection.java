package io.hawser.agenta.ftp.login;

/**
 * What TLS protects in a session (RFC 4217): the control connection from AUTH to CCC, and data connections with PROT P.
 *
 * <pre>
 *   clear ──AUTH──► control ──PBSZ──► PROT may be set ──CCC──► clear again, data as PROT says
 * </pre>
 *
 * <p>Thread: the loop.
 */
public final class TlsProtection {
    private boolean control;
    private boolean sizeAgreed;
    private boolean data;

    /** AUTH, or a connection that began with TLS. The latter protects its data too unless PROT says otherwise. */
    void begun(boolean implicit) {
        control = true;
        sizeAgreed = implicit;
        data = implicit;
    }

    /** CCC. */
    void controlCleared() {
        control = false;
    }

    /** PBSZ. */
    public void agreeSize() {
        sizeAgreed = true;
    }

    /** PROT P, or PROT C. */
    public void data(boolean on) {
        data = on;
    }

    /** Whether the control connection is protected now. */
    public boolean control() {
        return control;
    }

    /** Whether PBSZ was given, which must come before PROT. */
    public boolean sizeAgreed() {
        return sizeAgreed;
    }

    public boolean data() {
        return data;
    }
}
