package io.hawser.agenta.ftp;

import io.hawser.common.ftp.FtpPath;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Directories that were made through this server since it started, so that a second MKD can be answered as POSIX does.
 * Bounded: the oldest are forgotten, which does no harm, since making a directory again changes nothing at the far end.
 *
 * <p>Thread: the loop.
 */
public final class KnownDirectories {
    private static final int MAX = 10_000;

    private final Set<FtpPath> made = new LinkedHashSet<>();

    /** It was made. */
    public void add(FtpPath path) {
        made.add(path);
        if (made.size() > MAX) {
            made.remove(made.iterator().next());
        }
    }

    /** Whether it was made here and is remembered. */
    public boolean contains(FtpPath path) {
        return made.contains(path);
    }
}
