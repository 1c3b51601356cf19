package io.hawser.it.bench.links;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A long link, the same in both directions.
 *
 * @param megabits its rate in Mbit/s, of IP packets
 * @param rttMillis its round-trip time in ms
 * @param lossPercent how many packets of a hundred it loses, each by itself
 * @param cubic whether the hosts at its ends have no congestion control but CUBIC (RFC 9438)
 */
record Link(int megabits, int rttMillis, double lossPercent, boolean cubic) {
    static Link of(int megabits, int rttMillis) {
        return new Link(megabits, rttMillis, 0, false);
    }

    /** What {@code wan up} is told. */
    List<String> options() {
        List<String> options = new ArrayList<>(List.of("--rate", megabits + "mbit", "--rtt", rttMillis + "ms"));
        if (lossPercent > 0) {
            options.addAll(List.of("--loss", lossPercent + "%"));
        }
        if (cubic) {
            options.addAll(List.of("--cc", "cubic"));
        }
        return options;
    }

    /** The seconds that nothing can beat: the bytes at the link's rate, there, and an answer's way back. */
    double limitSeconds(long bytes) {
        return bytes * 8 / (megabits * 1e6) + rttMillis / 1e3;
    }

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%d Mbit/s, %d ms", megabits, rttMillis)
                + (lossPercent > 0 ? ", " + lossPercent + " % loss" : "")
                + (cubic ? ", cubic" : "");
    }
}
