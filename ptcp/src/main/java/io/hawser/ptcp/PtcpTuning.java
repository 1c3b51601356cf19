package io.hawser.ptcp;

/**
 * The tuning of a session, in the direction that this side sends.
 *
 * @param selfTuning whether the number of streams is found by measurement, at most {@link PtcpOptions#streams()}; otherwise it is that number
 * @param rateBytesPerSecond limit for all streams of a session together, or 0 for none
 * @param courtesy whether the session yields when other traffic on the link suffers
 * @param congestion the congestion control of the sockets: {@value #BEST}, {@value #KERNEL} or a name that the kernel knows
 */
public record PtcpTuning(boolean selfTuning, long rateBytesPerSecond, boolean courtesy, String congestion) {
    /** The best congestion control that the kernel has and allows. */
    public static final String BEST = "auto";

    /** The kernel's own choice. */
    public static final String KERNEL = "kernel";

    /** As many streams as were asked for, no limit, the best congestion control. */
    public static final PtcpTuning FIXED = new PtcpTuning(false, 0, false, BEST);

    /** The number of streams is found by measurement; no limit, the best congestion control. */
    public static final PtcpTuning AUTO = new PtcpTuning(true, 0, false, BEST);

    public PtcpTuning {
        if (rateBytesPerSecond < 0) {
            throw new IllegalArgumentException("a rate is 0 or more, not " + rateBytesPerSecond);
        }
        if (!congestion.matches("[a-z0-9_-]{1,15}")) {
            throw new IllegalArgumentException("'" + congestion + "' is not the name of a congestion control");
        }
    }
}
