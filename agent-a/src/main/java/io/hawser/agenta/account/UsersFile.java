package io.hawser.agenta.account;

import io.hawser.core.config.ConfigException;
import io.hawser.core.tls.PrivateFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The users file: one {@link UserEntry} a line; empty lines and lines with {@code #} are skipped. Only its owner may read or
 * write it. It is replaced as a whole, so a reader sees the old or the new one.
 *
 * <p>Thread: any.
 */
record UsersFile(Path path) {
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rw-------");
    private static final Set<PosixFilePermission> OWNER_ONLY_DIRECTORY = PosixFilePermissions.fromString("rwx------");
    private static final long MAX_BYTES = 4 << 20;

    /** What tells one state of the file from another without reading it. */
    record Version(Object key, long modifiedMillis, long sizeBytes) {}

    Version version() throws IOException {
        BasicFileAttributes facts = Files.readAttributes(path, BasicFileAttributes.class);
        return new Version(
                String.valueOf(facts.fileKey()), facts.lastModifiedTime().toMillis(), facts.size());
    }

    boolean exists() {
        return Files.exists(path);
    }

    /**
     * The users by name.
     *
     * @throws ConfigException with a sentence for each problem
     */
    Map<String, UserEntry> read() {
        List<String> lines = lines();
        Map<String, UserEntry> users = new LinkedHashMap<>();
        List<String> problems = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (!line.isEmpty() && !line.startsWith("#")) {
                try {
                    UserEntry entry = UserEntry.parse(line);
                    if (users.put(entry.account().name(), entry) != null) {
                        throw new IllegalArgumentException(entry.account().name() + " is there twice");
                    }
                } catch (IllegalArgumentException e) {
                    problems.add(path + " line " + (i + 1) + ": " + e.getMessage());
                }
            }
        }
        if (!problems.isEmpty()) {
            throw new ConfigException(String.join("; ", problems));
        }
        return users;
    }

    private List<String> lines() {
        try {
            PrivateFiles.refuseShared(path);
            if (!Files.isRegularFile(path)) {
                throw new ConfigException(path + " is not a regular file");
            }
            if (Files.size(path) > MAX_BYTES) {
                throw new ConfigException(path + " is larger than " + MAX_BYTES + " bytes: not a users file");
            }
            return Files.readAllLines(path, StandardCharsets.UTF_8);
        } catch (NoSuchFileException e) {
            throw new ConfigException("there is no " + path + "; 'hawser user add NAME --users " + path + "' makes it");
        } catch (IOException e) {
            throw new ConfigException("cannot read " + path + ": " + e.getMessage());
        }
    }

    /**
     * Makes the directory that the file is in, for its owner alone, if it is not there.
     *
     * @throws ConfigException if that cannot be, with what to do
     */
    void makeDirectory() {
        Path directory = directory();
        if (Files.isDirectory(directory)) {
            return;
        }
        try {
            Files.createDirectories(directory, PosixFilePermissions.asFileAttribute(OWNER_ONLY_DIRECTORY));
        } catch (AccessDeniedException e) {
            throw new ConfigException("cannot make " + directory
                    + ": permission denied; give a --users FILE where you may write, or run this as root");
        } catch (FileAlreadyExistsException e) {
            throw new ConfigException("cannot make " + directory + ": " + e.getFile() + " is no directory");
        } catch (IOException e) {
            throw new ConfigException("cannot make " + directory + ": " + e.getMessage());
        }
    }

    private Path directory() {
        Path parent = path.toAbsolutePath().getParent();
        return parent == null ? Path.of("/") : parent;
    }

    /** Replaces the file by one with these users. Comments are not kept. */
    void write(Collection<UserEntry> users) throws IOException {
        StringBuilder text = new StringBuilder("# Hawser users: NAME:HASH:PERMISSIONS:CUSTODY:ROOT\n");
        users.forEach(user -> text.append(user.line()).append('\n'));
        Path temporary =
                Files.createTempFile(directory(), ".users", ".new", PosixFilePermissions.asFileAttribute(OWNER_ONLY));
        try {
            Files.writeString(temporary, text, StandardOpenOption.WRITE, StandardOpenOption.SYNC);
            Files.move(temporary, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }
}
