package io.hawser.ptcp;

/** The reason why a session was refused or ended. The numbers are fixed by the wire format. */
public enum PtcpErrorCode {
    /** Closed in an orderly way. */
    CLOSED(0),
    /** No common protocol version. */
    VERSION(1),
    /** The bytes are not PTCP, or a frame breaks its limits. */
    PROTOCOL(2),
    /** A data channel could not prove the join secret. */
    JOIN_REFUSED(3),
    /** Nothing was heard from the peer for the heartbeat's limit. */
    TIMEOUT(4),
    /** The connection was lost or could not be made. */
    CONNECTION_LOST(5),
    /** TLS is demanded by one side, or the certificate was not accepted. */
    TLS(6),
    /** The acceptor takes no more sessions. */
    TOO_MANY(7),
    /** The peer's application refused the greeting. */
    GREETING_REFUSED(8),
    /** A defect at one side; its log has the details. */
    INTERNAL(9);

    private final int code;

    PtcpErrorCode(int code) {
        this.code = code;
    }

    /** The code with this number; a number that this version does not know is {@link #PROTOCOL}. */
    static PtcpErrorCode of(int number) {
        for (PtcpErrorCode value : values()) {
            if (value.code == number) {
                return value;
            }
        }
        return PROTOCOL;
    }

    /** The number on the wire. */
    public int code() {
        return code;
    }
}
