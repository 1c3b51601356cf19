package io.hawser.core.ftp;

/** The reply codes in use: RFC 959 section 4.2, RFC 2228, RFC 2389, RFC 2428, RFC 3659 and RFC 4217. */
public enum ReplyCode {
    /** Byte ranges that need not be sent again (GFD.20). */
    RANGE_MARKER(111),
    /** The bytes received so far (GFD.20). */
    PERFORMANCE_MARKER(112),
    /** The transfer starts over data connections of an earlier one. */
    ALREADY_OPEN(125),
    /** The address of a passive data port, sent with the transfer command (GFD.20). */
    DELAYED_PASSIVE(127),
    /** The transfer starts; a data connection is about to be opened or is open. */
    STARTING(150),
    /** Done. */
    OK(200),
    /** Not needed here. */
    SUPERFLUOUS(202),
    /** The answer to FEAT and STAT. */
    SYSTEM_STATUS(211),
    /** The size or the time of a file, in a form for programs. */
    FILE_STATUS(213),
    /** Text for a human. */
    HELP(214),
    /** The kind of system, the answer to SYST. */
    SYSTEM_TYPE(215),
    /** Ready for a new user. */
    READY(220),
    /** Good bye. */
    CLOSING(221),
    /** There is no transfer to abort. */
    NO_TRANSFER(225),
    /** The transfer is complete; an upload has reached its custody level. */
    TRANSFER_COMPLETE(226),
    /** The address of a passive data port (PASV). */
    PASSIVE(227),
    /** The number of a passive data port (EPSV). */
    EXTENDED_PASSIVE(229),
    /** Logged in. */
    LOGGED_IN(230),
    /** The security exchange is over, or TLS begins now (AUTH). */
    SECURITY_OK(234),
    /** The security exchange is over; later commands are protected (ADAT). */
    SECURITY_DONE(235),
    /** A file action is done. */
    FILE_ACTION_OK(250),
    /** A path: the working directory, or a created one. */
    PATH_NAME(257),
    /** The user name is accepted; a password is required. */
    NEED_PASSWORD(331),
    /** The mechanism is accepted; its data must follow (AUTH). */
    SECURITY_MORE(334),
    /** Data of the mechanism, and more must follow (ADAT). */
    SECURITY_DATA(335),
    /** Waiting for the command that goes with this one (REST). */
    PENDING(350),
    /** The service is not available, and the control connection closes. */
    NOT_AVAILABLE(421),
    /** No data connection could be opened. */
    NO_DATA_CONNECTION(425),
    /** The data connection broke, or the transfer was aborted. */
    TRANSFER_ABORTED(426),
    /** Not now; the same may succeed later. */
    FILE_BUSY(450),
    /** An error of the server. */
    LOCAL_ERROR(451),
    /** No space, for now. */
    NO_SPACE(452),
    /** Not a command. */
    SYNTAX_ERROR(500),
    /** The command's argument is wrong. */
    ARGUMENT_ERROR(501),
    /** A command that is not offered. */
    NOT_IMPLEMENTED(502),
    /** A command out of its sequence. */
    BAD_SEQUENCE(503),
    /** The command is offered, but not with this argument. */
    ARGUMENT_NOT_IMPLEMENTED(504),
    /** The network protocol of EPSV is not offered; or data connections must be protected (RFC 4217 section 12). */
    PROTOCOL_NOT_SUPPORTED(522),
    /** Not logged in, or wrong password. */
    NOT_LOGGED_IN(530),
    /** A command that needs a protected control connection came in clear. */
    NOT_PROTECTED(533),
    /** The operator does not allow it. */
    DENIED_BY_POLICY(534),
    /** The security check failed. */
    SECURITY_FAILED(535),
    /** That level of protection does not exist with this mechanism. */
    PROTECTION_NOT_SUPPORTED(536),
    /** There is no such file, or it cannot be used in this way. */
    FILE_UNAVAILABLE(550),
    /** Larger than the quota allows. */
    QUOTA_EXCEEDED(552),
    /** The name is not allowed. */
    NAME_NOT_ALLOWED(553),
    /** The REST position is wrong. */
    BAD_RESTART_POSITION(554),
    /** An encrypted line of a reply. */
    CONFIDENTIAL(632);

    private final int code;

    ReplyCode(int code) {
        this.code = code;
    }

    /** The three digits. */
    public int code() {
        return code;
    }

    /** Whether another reply to the same command follows (RFC 959 section 4.2, first digit 1). */
    public boolean isPreliminary() {
        return code < 200;
    }
}
