package io.hawser.it.bench.links;

import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * A comparison to run: which files travel over which link, and which programs take turns sending them.
 *
 * @param of what the figures are of, besides who did it
 * @param bytes of all files together
 * @param streams what agent-a is told of its streams; empty: nothing, as for a user who tunes nothing
 * @param ours whether Hawser takes part
 * @param peers who else does
 * @param aimSeconds Hawser's
 */
record Race(
        Map<String, String> of,
        Link link,
        Kind kind,
        long bytes,
        String streams,
        boolean ours,
        List<PeerProgram> peers,
        OptionalDouble aimSeconds) {
    /** How the bytes go. */
    enum Kind {
        /** By FTP to agent-a, until its final reply: delivered, all three copies durable. */
        UPLOAD,
        /** By FTP from agent-a, until the last byte. */
        DOWNLOAD,
        /** Files of {@link #SMALL_BYTES} through the Java API, until the last receipt <i>delivered</i>. */
        SMALL
    }

    /** The size of each of many small files. */
    static final int SMALL_BYTES = 4096;

    /** Whether this race can be run with the nodes of another. */
    boolean sharesNodes(Race other) {
        return link.equals(other.link) && streams.equals(other.streams) && ours == other.ours;
    }

    double limitSeconds() {
        return link.limitSeconds(bytes);
    }
}
