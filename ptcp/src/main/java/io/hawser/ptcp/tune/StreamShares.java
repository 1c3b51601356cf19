package io.hawser.ptcp.tune;

/**
 * Divides a rate among the streams: equally, but the part that a stream's congestion window cannot use goes to the others. Windows shrink in turn even without loss: BBR measures the round trip anew every ten seconds,
 * and sends with a window of four segments until its queue is gone, for 200 ms and a round trip more (Cardwell and others, ACM
 * Queue 14(5), 2016: PROBE_RTT). With four streams on a link of 600 ms that was a fourteenth of all the link carries.
 */
public final class StreamShares {
    private StreamShares() {}

    /**
     * The share of each stream. A stream with a small window keeps the equal share, so that it is not slower when its window grows again.
     *
     * @param bytesPerSecond the rate of all together
     * @param byWindow what each stream's window lets it send, in bytes per second; 0 where that is not known
     */
    public static long[] of(long bytesPerSecond, double[] byWindow) {
        double equal = (double) bytesPerSecond / byWindow.length;
        double share = equal;
        double shareBefore;
        do { // what one stream leaves makes the share larger than another window
            shareBefore = share;
            share = shareOfTheFree(bytesPerSecond, byWindow, shareBefore);
        } while (share > shareBefore);
        long[] shares = new long[byWindow.length];
        for (int i = 0; i < shares.length; i++) {
            shares[i] = (long) (isHeld(byWindow[i], share) ? equal : share);
        }
        return shares;
    }

    private static double shareOfTheFree(long bytesPerSecond, double[] byWindow, double share) {
        double rest = bytesPerSecond;
        int free = 0;
        for (double rate : byWindow) {
            if (isHeld(rate, share)) {
                rest -= rate;
            } else {
                free++;
            }
        }
        return free == 0 ? share : rest / free;
    }

    private static boolean isHeld(double byWindow, double share) {
        return byWindow > 0 && byWindow < share;
    }
}
