package io.hawser.core.access;

import io.hawser.core.config.ConfigException;
import io.hawser.core.config.FileChangeDetector;
import io.hawser.core.config.FileReload;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads an ACL file, and reads it again when it changes. If the file cannot be read or has an error, the previous rules stay in
 * force and {@link #problem()} names the error until it is corrected.
 *
 * <p>Thread: any.
 */
public final class ReloadingAccessFile {
    private static final Logger LOG = LoggerFactory.getLogger(ReloadingAccessFile.class);
    private static final long MAX_BYTES = 4 << 20;

    private final Path path;
    private final FileChangeDetector detector;
    private volatile AccessRules rules;
    private final FileReload reload = new FileReload(this::refresh);
    private volatile @Nullable String problem;
    private volatile int generation;

    private ReloadingAccessFile(Path path, FileChangeDetector detector, AccessRules rules) {
        this.path = path;
        this.detector = detector;
        this.rules = rules;
    }

    /**
     * Reads the file for the first time.
     *
     * @throws ConfigException if it cannot be read or has an error
     */
    public static ReloadingAccessFile open(Path path) {
        FileChangeDetector detector = new FileChangeDetector(List.of(path));
        try {
            return new ReloadingAccessFile(path, detector, read(path));
        } catch (IOException | IllegalArgumentException e) {
            throw new ConfigException("--acl " + path + ": " + e.getMessage());
        }
    }

    private static AccessRules read(Path path) throws IOException {
        if (!Files.isReadable(path)) {
            throw new IOException("it does not exist, or there is no permission to read it");
        }
        if (Files.size(path) > MAX_BYTES) {
            throw new IOException("the file is longer than " + MAX_BYTES + " bytes");
        }
        try {
            return AccessRules.parse(Files.readString(path));
        } catch (CharacterCodingException e) {
            throw new IOException("the file is not text in UTF-8", e);
        }
    }

    /** Reading a pipe would wait, perhaps for ever, and some devices have no end. */
    private static AccessRules readAgain(Path path) throws IOException {
        if (Files.exists(path) && !Files.isRegularFile(path)) {
            throw new IOException("it is not a regular file");
        }
        return read(path);
    }

    /** Increases when the rules change. Asks for a look at the file; its result is seen by a later call. */
    public int generation() {
        reload.ask();
        return generation;
    }

    /** Reads the file again if it has changed. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // one look at a time
    private void refresh() {
        if (!detector.hasChanged()) {
            return;
        }
        try {
            rules = readAgain(path);
            problem = null;
            generation++;
            LOG.atInfo().addKeyValue("file", path).log("The ACL file was read again");
        } catch (IOException | IllegalArgumentException e) {
            problem = path + ": " + e.getMessage() + "; the previous rules stay in force";
            LOG.atWarn().addKeyValue("problem", problem).log("The ACL file has changed and cannot be used");
        }
    }

    /** The current error of the file; empty if there is none. */
    public Optional<String> problem() {
        return Optional.ofNullable(problem);
    }

    public AccessRules rules() {
        return rules;
    }
}
