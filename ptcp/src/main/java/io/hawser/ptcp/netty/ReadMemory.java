package io.hawser.ptcp.netty;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Bounds the memory that each peer has in bytes which did not arrive whole yet: long headers of packets, or long control frames. A peer
 * that begins many and ends none waits for itself, and for nobody else.
 *
 * <p>Thread: the loop of the channels that read.
 */
public final class ReadMemory {
    private final int bytesOfEach;
    private final Map<Object, Share> shares = new HashMap<>();

    /**
     * Creates memory of which nothing is taken.
     *
     * @param bytesOfEach what one peer may have at once; no claim may be larger
     */
    public ReadMemory(int bytesOfEach) {
        this.bytesOfEach = bytesOfEach;
    }

    /**
     * Claims memory, after the earlier claims of the same peer that wait.
     *
     * @param peer equal for all channels that share a bound
     * @param bytes how much
     * @param given runs once if the claim had to wait and has its memory now; it must not read inside the call
     */
    public Claim claim(Object peer, int bytes, Runnable given) {
        if (bytes > bytesOfEach) {
            throw new IllegalArgumentException(bytes + " bytes are claimed, and a peer may have " + bytesOfEach);
        }
        Share share = shares.computeIfAbsent(peer, unused -> new Share());
        Claim claim = new Claim(peer, share, bytes, given);
        share.waiting.add(claim);
        share.giveToWaiting(claim);
        return claim;
    }

    /** How many peers have or want memory. */
    int peers() {
        return shares.size();
    }

    /** What one peer has, and its claims that wait for more. */
    private final class Share {
        private final Deque<Claim> waiting = new ArrayDeque<>();
        private int bytes;

        void giveToWaiting(@Nullable Claim quiet) {
            Claim first = waiting.peek();
            while (first != null && bytes + first.bytes <= bytesOfEach) {
                waiting.remove();
                bytes += first.bytes;
                first.isGiven = true;
                if (first != quiet) {
                    first.given.run();
                }
                first = waiting.peek();
            }
        }
    }

    /** Memory that was claimed. */
    public final class Claim {
        private final Object peer;
        private final Share share;
        private final int bytes;
        private final Runnable given;
        private boolean isGiven;

        private Claim(Object peer, Share share, int bytes, Runnable given) {
            this.peer = peer;
            this.share = share;
            this.bytes = bytes;
            this.given = given;
        }

        /** Whether the memory may be allocated. */
        public boolean isGiven() {
            return isGiven;
        }

        /** Ends the claim: its memory is free again, or not wanted any more. To be called once. */
        public void release() {
            if (isGiven) {
                share.bytes -= bytes;
            } else {
                share.waiting.remove(this);
            }
            share.giveToWaiting(null);
            if (share.bytes == 0 && share.waiting.isEmpty()) {
                shares.remove(peer, share);
            }
        }
    }
}
