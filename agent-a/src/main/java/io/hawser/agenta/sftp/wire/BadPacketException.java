package io.hawser.agenta.sftp.wire;

/** A packet of a client that is not as the protocol says. */
public final class BadPacketException extends Exception {
    private static final long serialVersionUID = 1;

    private final String what;

    BadPacketException(String what) {
        super(what);
        this.what = what;
    }

    /** What is wrong with it. */
    public String what() {
        return what;
    }
}
