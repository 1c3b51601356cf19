package io.hawser.gsi.path;

/** What a peer uses its certificate for. */
public enum CertificatePurpose {
    /** To log in. */
    CLIENT("1.3.6.1.5.5.7.3.2"),
    /** To be logged in to. */
    SERVER("1.3.6.1.5.5.7.3.1"),
    /** Data connections: either end may be the TLS server, with a user's credential. */
    DATA("");

    private final String extendedKeyUsage;

    CertificatePurpose(String extendedKeyUsage) {
        this.extendedKeyUsage = extendedKeyUsage;
    }

    /** The object identifier that the extended key usages, if there are any, must contain; empty for none. */
    String extendedKeyUsage() {
        return extendedKeyUsage;
    }
}
