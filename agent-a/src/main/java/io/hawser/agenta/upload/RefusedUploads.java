package io.hawser.agenta.upload;

import io.hawser.core.collection.EvictingMap;
import io.hawser.core.ftp.FtpPath;
import java.time.Duration;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Remembers how many bytes of temporarily refused uploads arrived, to detect truncated retries. Some clients repeat such an
 * upload by themselves, and one of them wrongly: lftp 4.9.2 that has read its whole file by then sends 192 KiB of it and ends
 * the data in good order, as if that were all. So a repetition by the same account that ends before the bytes that had come
 * the first time is not believed, once.
 *
 * <p>Bounded: {@value #MAX} are remembered, for {@link #TIME}. Thread: the loop.
 */
public final class RefusedUploads {
    private static final Duration TIME = Duration.ofMinutes(10);
    private static final int MAX = 1024;

    private final LongSupplier nanoClock;
    private final Map<Upload, Attempt> attempts = new EvictingMap<>(MAX);

    private record Upload(String account, FtpPath path) {}

    private record Attempt(long bytes, long atNanos) {}

    RefusedUploads(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    /** An upload was refused for now when so many bytes of it had come. */
    public void refused(String account, FtpPath path, long bytes) {
        Upload upload = new Upload(account, path);
        attempts.remove(upload);
        attempts.put(upload, new Attempt(bytes, nanoClock.getAsLong()));
    }

    /** Whether an upload that ended after so many bytes is the cut repetition of one that was refused. */
    public boolean isCutRepetition(String account, FtpPath path, long bytes) {
        Attempt before = attempts.remove(new Upload(account, path));
        return before != null && bytes < before.bytes && nanoClock.getAsLong() - before.atNanos < TIME.toNanos();
    }
}
