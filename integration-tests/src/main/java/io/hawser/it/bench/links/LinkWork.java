package io.hawser.it.bench.links;

/**
 * What is sent over which link.
 *
 * @param bytes of all files together
 */
record LinkWork(Link link, Kind kind, long bytes) {
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

    double limitSeconds() {
        return link.limitSeconds(bytes);
    }
}
