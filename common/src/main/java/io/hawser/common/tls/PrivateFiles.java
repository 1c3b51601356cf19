package io.hawser.common.tls;

import java.nio.file.Path;

/**
 * The rule for files with secrets: nobody but their owner can read or write them.
 *
 * <p>Thread: any.
 */
public final class PrivateFiles {
    private PrivateFiles() {}

    /** Throws ConfigException, which says what to do, if others can read or write that file. */
    public static void refuseShared(Path path) {
        KeyFiles.refuseSharedKey(path);
    }
}
