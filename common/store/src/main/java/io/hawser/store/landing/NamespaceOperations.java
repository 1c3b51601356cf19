package io.hawser.store.landing;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Attributes;
import io.hawser.core.model.Manifest;
import io.hawser.core.remote.RemoteFiles;
import io.hawser.store.runtime.CrashPoints;
import io.hawser.store.storage.FileFacts;
import io.hawser.store.storage.FileIoMode;
import io.hawser.store.storage.FileTimeHistory;
import io.hawser.store.storage.OpenMode;
import io.hawser.store.storage.PathExistsException;
import io.hawser.store.storage.PathMissingException;
import io.hawser.store.storage.PathRefusedException;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import io.hawser.store.storage.StorageFile;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Does what an object without bytes asks for below a directory: delete, remove a directory, rename, set a time or permissions.
 *
 * <p>Exactly once: an operation that may be done is judged by what is there, since it is unknown how far the last attempt came. What is to be deleted or renamed and is gone has been; order by path keeps every later object of that name back until
 * then, so what is still there is what was meant. Times and permissions are set again, which changes nothing.
 *
 * <p>No symbolic link is followed; deleting or renaming one concerns the link itself.
 *
 * <p>Thread: disk.
 */
final class NamespaceOperations {
    private static final String MISSING = "No such file or directory";
    private static final String NOT_DIRECTORY = DirectoryFsync.NOT_DIRECTORY;
    private static final String IS_DIRECTORY = "Is a directory";
    private static final String EXISTS = "File exists";
    private static final String INVALID = "Invalid argument";
    private static final String LINK = RemoteFiles.NOT_WRITTEN_THROUGH;
    private static final int OCTAL = 8;
    private static final int MAX_MODE = 0777;

    private final Storage storage;
    private final Path root;
    private final DirectoryFsync directories;
    private final CrashPoints crashPoints;
    private final FileTimeHistory timeChanges;

    NamespaceOperations(Storage storage, Path root, FileTimeHistory timeChanges, CrashPoints crashPoints) {
        this.storage = storage;
        this.root = root;
        this.directories = new DirectoryFsync(storage, root);
        this.timeChanges = timeChanges;
        this.crashPoints = crashPoints;
    }

    /** It is done, and the directory was not forced. */
    static final class UnforcedException extends StorageException {
        private static final long serialVersionUID = 1;

        UnforcedException(StorageException cause) {
            super(String.valueOf(cause.getMessage()), cause);
        }
    }

    /** It can never be done. The message is POSIX's. */
    static final class RefusedException extends Exception {
        private static final long serialVersionUID = 1;

        RefusedException(String reason) {
            super(reason);
        }

        String reason() {
            return String.valueOf(getMessage());
        }
    }

    /** Whether its parameters make sense: null, or why not. The name itself has been checked. */
    @Nullable
    Refusal check(Manifest manifest) {
        return switch (manifest.kind()) {
            case RENAME ->
                TargetName.parseBelow(root, attribute(manifest, Attributes.RENAMED_TO))
                        .refusal();
            case SET_TIME ->
                isNumber(attribute(manifest, Attributes.MODIFIED_MILLIS), 10, Long.MAX_VALUE)
                        ? null
                        : new Refusal(ErrorCode.MALFORMED, "The time that is to be set is no number.");
            case SET_MODE ->
                isNumber(attribute(manifest, Attributes.MODE), OCTAL, MAX_MODE)
                        ? null
                        : new Refusal(ErrorCode.MALFORMED, "Permissions are octal, from 0 to 777.");
            default -> null;
        };
    }

    private static String attribute(Manifest manifest, String name) {
        return manifest.attributes().getOrDefault(name, "");
    }

    private static boolean isNumber(String text, int radix, long max) {
        try {
            return Long.parseLong(text, radix) <= max && (radix != OCTAL || !text.startsWith("-"));
        } catch (NumberFormatException e) {
            return false;
        }
    }

    /**
     * Does it.
     *
     * @param path its name
     * @return the directory that is still to be forced, if one is
     */
    Optional<Path> run(VerifiedObject object, Path path) throws StorageException, RefusedException {
        Manifest manifest = object.manifest();
        Refusal nonsense = check(manifest);
        if (nonsense != null) {
            throw new RefusedException(nonsense.detail());
        }
        try {
            Optional<Path> unforced =
                    switch (manifest.kind()) {
                        case DELETE ->
                            isDoneWithoutFile(manifest, path)
                                    ? existingParentOf(path)
                                    : Optional.of(remove(path, false, object.mayBeDone()));
                        case REMOVE_DIRECTORY -> Optional.of(remove(path, true, object.mayBeDone()));
                        case RENAME -> Optional.of(rename(path, targetOf(manifest), object.mayBeDone()));
                        case SET_TIME -> {
                            setTime(path, Long.parseLong(attribute(manifest, Attributes.MODIFIED_MILLIS)));
                            yield Optional.empty();
                        }
                        case SET_MODE -> {
                            setMode(path, Integer.parseInt(attribute(manifest, Attributes.MODE), OCTAL));
                            yield Optional.empty();
                        }
                        default -> throw new IllegalArgumentException("not an operation: " + manifest.kind());
                    };
            crashPoints.reached("landing.after-operation");
            return unforced;
        } catch (PathMissingException e) {
            throw new RefusedException(MISSING);
        } catch (PathExistsException e) {
            throw new RefusedException(EXISTS);
        } catch (PathRefusedException e) {
            throw new RefusedException(e.reason());
        }
    }

    private Path targetOf(Manifest manifest) {
        Outcome<TargetName> target = TargetName.parseBelow(root, attribute(manifest, Attributes.RENAMED_TO));
        return target.get().below(root);
    }

    private boolean isDoneWithoutFile(Manifest manifest, Path path) throws StorageException {
        return attribute(manifest, Attributes.IF_EXISTS).equals(Attributes.YES) && storage.facts(path) == null;
    }

    /** An earlier attempt may have removed the file, and not come to the force. */
    private Optional<Path> existingParentOf(Path path) throws StorageException {
        Path parent = directories.parentOf(path);
        return storage.facts(parent) == null ? Optional.empty() : Optional.of(parent);
    }

    private Path remove(Path path, boolean directory, boolean again) throws StorageException, RefusedException {
        if (again && storage.facts(path) == null) {
            return directories.parentOf(path);
        }
        FileFacts facts = existing(path);
        if (facts.isDirectory() != directory) {
            throw new RefusedException(directory ? NOT_DIRECTORY : IS_DIRECTORY);
        }
        directories.checkForceable(directories.parentOf(path));
        if (!storage.delete(path)) {
            throw new RefusedException(MISSING);
        }
        return directories.parentOf(path);
    }

    private Path rename(Path from, Path to, boolean again) throws StorageException, RefusedException {
        if (again && storage.facts(from) == null) {
            directories.force(directories.parentOf(to)); // the last attempt may not have come to it
            return directories.parentOf(from);
        }
        FileFacts source = existing(from);
        checkAbove(to);
        if (from.equals(to)) {
            return directories.parentOf(from);
        }
        if (to.startsWith(from)) {
            throw new RefusedException(INVALID);
        }
        FileFacts target = storage.facts(to);
        if (target != null && target.isDirectory()) {
            throw new RefusedException(EXISTS);
        }
        if (target != null && source.isDirectory()) {
            throw new RefusedException(NOT_DIRECTORY);
        }
        directories.checkForceable(directories.parentOf(from));
        directories.checkForceable(directories.parentOf(to));
        storage.rename(from, to);
        if (!directories.parentOf(from).equals(directories.parentOf(to))) {
            crashPoints.reached("landing.after-rename-before-force");
            // First: the old name may come back in a crash, the object may not be lost.
            forceRenamed(directories.parentOf(to));
        }
        return directories.parentOf(from);
    }

    private void forceRenamed(Path directory) throws StorageException {
        try {
            directories.force(directory);
        } catch (UnknownOutcomeException e) {
            throw e;
        } catch (StorageException e) {
            throw new UnforcedException(e);
        }
    }

    private void setTime(Path path, long epochMillis) throws StorageException, RefusedException {
        FileFacts facts = fileOrDirectory(path);
        setAndForce(
                path,
                () -> timeChanges.change(facts, () -> {
                    storage.setModified(path, epochMillis);
                    return storage.facts(path);
                }));
    }

    private void setMode(Path path, int mode) throws StorageException, RefusedException {
        fileOrDirectory(path);
        setAndForce(path, () -> storage.setMode(path, mode));
    }

    private FileFacts fileOrDirectory(Path path) throws StorageException, RefusedException {
        FileFacts facts = existing(path);
        return switch (facts.kind()) {
            case FILE, DIRECTORY -> facts;
            case SYMBOLIC_LINK -> throw new RefusedException(LINK);
            case OTHER -> throw new RefusedException(INVALID);
        };
    }

    /** The facts of {@code path}, whose parents are real directories. */
    private FileFacts existing(Path path) throws StorageException, RefusedException {
        checkAbove(path);
        FileFacts facts = storage.facts(path);
        if (facts == null) {
            throw new RefusedException(MISSING);
        }
        return facts;
    }

    /** Refuses {@code path} if what is above it is not a directory of its own. */
    void checkAbove(Path path) throws StorageException, RefusedException {
        Path directory = directories.parentOf(path);
        if (directory.equals(root)) {
            return;
        }
        checkAbove(directory);
        FileFacts facts = storage.facts(directory);
        if (facts == null) {
            throw new RefusedException(MISSING);
        }
        if (!facts.isDirectory()) {
            throw new RefusedException(facts.kind() == FileFacts.Kind.SYMBOLIC_LINK ? LINK : NOT_DIRECTORY);
        }
    }

    /** A change of what a file or directory is, not of its bytes or entries. */
    private interface Setting {
        void set() throws StorageException;
    }

    /**
     * Sets it and forces the file or directory by a handle from before, since the setting may take the right to read it away; or, if it
     * gives that right, by one opened after it. What may be read at neither time is changed all the same, and its directory forced.
     */
    private void setAndForce(Path path, Setting setting) throws StorageException {
        try (StorageFile before = openIfReadable(path)) {
            setting.set();
            if (before != null) {
                force(before);
                return;
            }
        }
        try (StorageFile now = openIfReadable(path)) {
            if (now != null) {
                force(now);
                return;
            }
        } catch (PathMissingException e) {
            return; // a consumer has taken it, with the change
        }
        directories.forceNearest(directories.parentOf(path));
    }

    private @Nullable StorageFile openIfReadable(Path path) throws StorageException {
        try {
            return storage.open(path, OpenMode.READ, FileIoMode.PAGE_CACHE);
        } catch (PathRefusedException e) {
            return null;
        }
    }

    private static void force(StorageFile file) throws UnknownOutcomeException {
        try {
            file.force(true);
        } catch (StorageException e) {
            throw new UnknownOutcomeException(e);
        }
    }
}
