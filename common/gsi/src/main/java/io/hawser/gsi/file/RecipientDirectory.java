package io.hawser.gsi.file;

import io.hawser.gsi.GsiException;
import io.hawser.gsi.credential.SealedCredential;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the certificates of those for whom credentials are sealed: files {@code NAME.pem} of a directory. Each call checks the directory and reads it
 * again if it has changed; it skips and logs files that cannot be used.
 *
 * <p>Thread: any; each call touches the disk.
 */
public final class RecipientDirectory {
    private static final Logger LOG = LoggerFactory.getLogger(RecipientDirectory.class);
    private static final String SUFFIX = ".pem";
    private static final int MAX_FILES = 10_000;

    private final Path directory;
    private Map<String, X509Certificate> loaded = Map.of();
    private @Nullable List<FileState> states;

    public RecipientDirectory(Path directory) {
        this.directory = directory;
    }

    /** The certificates by name. Throws {@link IOException} with a sentence for an operator if the directory could never be read. */
    public synchronized Map<String, X509Certificate> get() throws IOException {
        try (Stream<Path> all = Files.list(directory)) {
            List<Path> files = all.filter(file -> name(file).endsWith(SUFFIX))
                    .sorted()
                    .limit(MAX_FILES)
                    .toList();
            List<FileState> now = FileState.of(files);
            if (!now.equals(states)) {
                loaded = read(files);
                states = now;
                LOG.atInfo().addKeyValue("recipients", loaded.keySet()).log("read the recipients of credentials");
            }
        } catch (IOException e) {
            if (states == null) {
                throw new IOException("the directory " + directory + " cannot be read: " + e.getMessage(), e);
            }
            LOG.atError()
                    .addKeyValue("reason", e.getMessage())
                    .log("cannot read the recipients of credentials; keeping the old ones");
        }
        return loaded;
    }

    private static String name(Path file) {
        return String.valueOf(file.getFileName());
    }

    private static Map<String, X509Certificate> read(List<Path> files) {
        Map<String, X509Certificate> found = new LinkedHashMap<>();
        for (Path file : files) {
            try {
                X509Certificate certificate = PemFile.read(file).certificates().get(0);
                SealedCredential.requireRsa(certificate);
                String name = name(file);
                found.put(name.substring(0, name.length() - SUFFIX.length()), certificate);
            } catch (IOException | GsiException e) {
                LOG.atWarn()
                        .addKeyValue("file", file)
                        .addKeyValue("reason", e.getMessage())
                        .log("skipping the certificate of a recipient");
            }
        }
        return Map.copyOf(found);
    }
}
