package io.hawser.it.bench.links;

/** What is sent over which link, and in how many seconds it ought to be there. */
enum LinkWork {
    UP_64_FAR("64 MiB up", Link.of(100, 600), Kind.UPLOAD, 64L << 20, 6.6),
    UP_16_FAR("16 MiB up", Link.of(100, 600), Kind.UPLOAD, 16L << 20, 2.5),
    UP_1_FAR("1 MiB up", Link.of(100, 600), Kind.UPLOAD, 1L << 20, 0.9),
    UP_QUARTER_FAR("256 KiB up", Link.of(100, 600), Kind.UPLOAD, 256L << 10, 0.75),
    DOWN_64_FAR("64 MiB down", Link.of(100, 600), Kind.DOWNLOAD, 64L << 20, 6.9),
    UP_64_CUBIC("64 MiB up", new Link(100, 600, 0, true), Kind.UPLOAD, 64L << 20, 8.5),
    UP_64_MIDDLE("64 MiB up", Link.of(100, 80), Kind.UPLOAD, 64L << 20, 5.8),
    UP_16_LOSSY("16 MiB up", new Link(100, 80, 0.1, true), Kind.UPLOAD, 16L << 20, 1.9),
    UP_400_FAST("400 MiB up", Link.of(1000, 10), Kind.UPLOAD, 400L << 20, 3.55),
    SMALL("10,000 x 4 KiB", Link.of(100, 100), Kind.SMALL, 10_000L << 12, 5);

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

    final String title;

    @SuppressWarnings("ImmutableEnumChecker") // a record of numbers
    final Link link;

    final Kind kind;
    final long bytes;
    final double aimSeconds;

    LinkWork(String title, Link link, Kind kind, long bytes, double aimSeconds) {
        this.title = title;
        this.link = link;
        this.kind = kind;
        this.bytes = bytes;
        this.aimSeconds = aimSeconds;
    }

    double limitSeconds() {
        return link.limitSeconds(bytes);
    }
}
