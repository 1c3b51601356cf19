package io.hawser.store.log;

import java.nio.file.Path;

/**
 * A segment that is part of the log.
 *
 * <p>Thread: any for reads; the sizes are changed by the log-writer, and before it starts by recovery.
 */
final class LogSegment {
    private final SegmentHeader header;
    private final Path path;
    private volatile long sizeBytes;
    private volatile boolean sealed;

    LogSegment(SegmentHeader header, Path path, long sizeBytes, boolean sealed) {
        this.header = header;
        this.path = path;
        this.sizeBytes = sizeBytes;
        this.sealed = sealed;
    }

    SegmentHeader header() {
        return header;
    }

    long number() {
        return header.number();
    }

    Path path() {
        return path;
    }

    long sizeBytes() {
        return sizeBytes;
    }

    boolean sealed() {
        return sealed;
    }

    void grownTo(long newSizeBytes) {
        if (newSizeBytes > sizeBytes) {
            sizeBytes = newSizeBytes;
        }
    }

    void sealedAt(long newSizeBytes) {
        sizeBytes = newSizeBytes;
        sealed = true;
    }

    SegmentInfo info() {
        return new SegmentInfo(header.number(), header.firstSequence(), sizeBytes, sealed);
    }
}
