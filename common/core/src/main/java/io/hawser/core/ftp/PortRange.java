package io.hawser.core.ftp;

import java.util.concurrent.ThreadLocalRandom;

/**
 * The port numbers for listening data connections.
 *
 * @param first the first, or 0 with {@code last} 0 for any port that the system chooses
 * @param last the last, inclusive
 */
public record PortRange(int first, int last) {
    public static final PortRange ANY = new PortRange(0, 0);
    private static final int MAX_ATTEMPTS = 64;
    /**
     * A bind right after other data connections were closed can fail with ClosedChannelException (Netty 4.2.18, epoll); the next one
     * succeeds.
     */
    private static final int ATTEMPTS_AT_ANY = 4;

    public PortRange {
        if (first < 0 || last > 0xFFFF || first > last || (first == 0 && last != 0)) {
            throw new IllegalArgumentException("a port range is FIRST-LAST within 1-65535, not " + first + "-" + last);
        }
    }

    /** Parses {@code FIRST-LAST}. */
    public static PortRange parse(String text) {
        String[] ends = text.split("-", -1);
        try {
            if (ends.length == 2) {
                return new PortRange(Integer.parseInt(ends[0].trim()), Integer.parseInt(ends[1].trim()));
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("a port range is FIRST-LAST, not \"" + text + "\"", e);
        }
        throw new IllegalArgumentException("a port range is FIRST-LAST, not \"" + text + "\"");
    }

    /** Port numbers to try, from a random start. */
    public Attempts attempts() {
        return new Attempts(this);
    }

    /** Port numbers to try, one after the other. A random start makes the next port hard to guess (RFC 2577 section 8). */
    public static final class Attempts {
        private final PortRange range;
        private final int size;
        private final int start;
        private int tried;

        private Attempts(PortRange range) {
            this.range = range;
            this.size = range.last - range.first + 1;
            this.start = ThreadLocalRandom.current().nextInt(size);
        }

        /** Whether there is one more to try. */
        public boolean hasNext() {
            return tried < (range.first == 0 ? ATTEMPTS_AT_ANY : Math.min(size, MAX_ATTEMPTS));
        }

        /** The next one; 0 for any port. */
        public int next() {
            return range.first + (start + tried++) % size;
        }
    }
}
