package io.hawser.gsi.path;

/** What a peer uses its certificate for. */
public enum Purpose {
    /** It logs in. */
    CLIENT("1.3.6.1.5.5.7.3.2"),
    /** It is logged in to. */
    SERVER("1.3.6.1.5.5.7.3.1"),
    /** Data connections: either end may be the TLS server, with a user's credential. */
    DATA("");

    private final String extendedKeyUsage;

    Purpose(String extendedKeyUsage) {
        this.extendedKeyUsage = extendedKeyUsage;
    }

    /** The object identifier that must be among the extended key usages where there are any; empty if none must. */
    String extendedKeyUsage() {
        return extendedKeyUsage;
    }
}
