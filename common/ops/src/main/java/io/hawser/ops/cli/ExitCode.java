package io.hawser.ops.cli;

/** What the hawser command's exit codes mean; a script can rely on them. */
public enum ExitCode {
    /** All that was asked for is done; a node was stopped in order. */
    OK(0, "done; a node: stopped in order"),
    /** It was tried and did not work; the line on standard error says why. */
    FAILED(1, "failed; the line on standard error says why"),
    /** The command line or the configuration is wrong; nothing was tried. */
    USAGE(2, "the command line or the configuration is wrong"),
    /** The broker, node or server did not answer; the same command may work later. */
    CANNOT_CONNECT(3, "cannot connect (also: the JVM ran out of memory)"),
    /** The other side answered and refused: no right, quota, disk full there, unknown transfer. */
    REFUSED(4, "the other side refused"),
    /** A write or a force failed here, or what was read back is damaged; look at the disk before the next start. */
    STORAGE(5, "storage error; look at the disk before the next start"),
    /** The data directory belongs to another process, or the port is taken. */
    BUSY(6, "the data directory or the port is in use"),
    /** The time that the caller gave is over; the same command continues what was accepted. */
    NOT_YET(7, "not done in the time given; what was accepted stays so"),
    /** Ctrl-C or SIGTERM; the same command continues. */
    INTERRUPTED(130, "interrupted; the same command continues");

    private final int code;
    private final String meaning;

    ExitCode(int code, String meaning) {
        this.code = code;
        this.meaning = meaning;
    }

    public int code() {
        return code;
    }

    /** One phrase for the help text. */
    public String meaning() {
        return meaning;
    }
}
