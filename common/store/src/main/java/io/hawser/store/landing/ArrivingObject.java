package io.hawser.store.landing;

import io.hawser.core.model.Manifest;
import io.hawser.core.model.TransferKey;
import java.nio.file.Path;
import java.time.Duration;

/**
 * An object whose fragments are still coming in, for a target that begins before its commit. Its landing file may be read up to {@link
 * #verifiedBytes()}: that prefix is durable and was compared with the origin's leaves, and never changes. Whether the object will ever
 * be complete nobody knows; so what a target makes of it stays invisible until the object is {@linkplain DeliveryTarget#deliver
 * delivered}.
 *
 * <p>Thread: any.
 */
public final class ArrivingObject {
    private final Manifest manifest;
    private final Path file;
    private long verifiedBytes;

    /**
     * Creates it.
     *
     * @param file the landing file; it may be longer than what is verified
     */
    public ArrivingObject(Manifest manifest, Path file) {
        this.manifest = manifest;
        this.file = file;
    }

    /** What it will be. */
    public Manifest manifest() {
        return manifest;
    }

    /** The landing file. */
    public Path file() {
        return file;
    }

    /** As {@link VerifiedObject#note()}; it is the same file. */
    public Path note() {
        return VerifiedObject.noteOf(file);
    }

    /** The transfer. */
    public TransferKey key() {
        return manifest.key();
    }

    /** How many bytes from the beginning may be read. Never less than before. */
    public synchronized long verifiedBytes() {
        return verifiedBytes;
    }

    /** Waits until there are more than {@code bytes}, at most for {@code limit}; returns what there is then. */
    public synchronized long awaitBeyond(long bytes, Duration limit) throws InterruptedException {
        long deadline = System.nanoTime() + limit.toNanos();
        while (verifiedBytes <= bytes) {
            long millis = (deadline - System.nanoTime()) / 1_000_000;
            if (millis <= 0) {
                break;
            }
            wait(millis);
        }
        return verifiedBytes;
    }

    /** The landing area has verified more. */
    public synchronized void grewTo(long bytes) {
        verifiedBytes = Math.max(verifiedBytes, bytes);
        notifyAll();
    }
}
