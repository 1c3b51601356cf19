package io.hawser.store.landing;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Commit;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.Printable;
import io.hawser.core.model.TransferKind;
import io.hawser.store.content.FragmentFiles;
import io.hawser.store.content.ScratchBuffers;
import io.hawser.store.runtime.CrashPoints;
import io.hawser.store.storage.FileFacts;
import io.hawser.store.storage.FileTimeHistory;
import io.hawser.store.storage.OpenMode;
import io.hawser.store.storage.PathRefusedException;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import io.hawser.store.storage.StorageFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes into a directory: sub-directories are made, the landing file is renamed over the final name, and the directories
 * are forced, each once for all objects of a call. What stood at the name is replaced. Objects without bytes are {@link
 * NamespaceOperations}.
 *
 * <p>A message is published as a file, if its label is a name that a file may have. A symbolic link is never followed below
 * the root, so that nobody who can write there leads an object elsewhere, not even between a look and what follows it ({@link
 * Storage#below}); the root itself may be one.
 *
 * <p>A name that is taken by something else (a directory where the file should go, a file or a link where a directory should
 * be) is refused until a person changes that; whatever else the file system says is tried again. So is publishing into a directory that may be written and
 * not be read: a name in it could not be forced, so none is made.
 *
 * <p>Thread: disk; one call at a time, and besides one with a patch. {@link #check} on any.
 */
public final class DirectoryTarget implements DeliveryTarget {
    private static final Logger LOG = LoggerFactory.getLogger(DirectoryTarget.class);

    private final Storage storage;
    private final Path root;
    private final DirectoryFsync directories;
    private final CrashPoints crashPoints;
    private final NamespaceOperations operations;
    private final Patcher patcher;
    private final ScratchBuffers scratch = new ScratchBuffers(ScratchBuffers.READ_BYTES);

    /**
     * Creates a target.
     *
     * @param root where names begin; on the landing directory's file system, and there already
     */
    public DirectoryTarget(Storage storage, Path root) {
        this(storage, root, new FileTimeHistory());
    }

    /** Creates a target that records the times that it sets in {@code timeChanges}, for readers of files below {@code root}. */
    public DirectoryTarget(Storage storage, Path root, FileTimeHistory timeChanges) {
        this(storage, root, timeChanges, CrashPoints.NONE);
    }

    DirectoryTarget(Storage storage, Path root, FileTimeHistory timeChanges, CrashPoints crashPoints) {
        this.root = root.toAbsolutePath().normalize();
        this.storage = storage.below(this.root);
        this.directories = new DirectoryFsync(this.storage, this.root);
        this.crashPoints = crashPoints;
        this.operations = new NamespaceOperations(this.storage, this.root, timeChanges, crashPoints);
        this.patcher = new Patcher(this.storage, crashPoints);
    }

    @Override
    public @Nullable Refusal check(Manifest manifest) {
        Refusal refusal = TargetName.parseBelow(root, manifest.name()).refusal();
        if (refusal != null && manifest.kind() == TransferKind.MESSAGE) {
            return new Refusal(
                    ErrorCode.BAD_NAME,
                    "This subscription delivers into a directory, so a message needs a label that can be a file's name. "
                            + refusal.detail());
        }
        if (refusal == null) {
            refusal = PatchPlan.check(manifest);
        }
        return refusal != null ? refusal : operations.check(manifest);
    }

    @Override
    public boolean takesFile() {
        return true;
    }

    @Override
    public void deliver(List<VerifiedObject> objects, Consumer<DeliveryOutcome> results) {
        String gone = landingProblem(objects.get(0));
        if (!gone.isEmpty()) {
            objects.forEach(object -> results.accept(new DeliveryOutcome.Later(object, gone, object.mayBeDone())));
            return;
        }
        Map<Path, List<DeliveryOutcome.Delivered>> unforced = new LinkedHashMap<>();
        boolean again = objects.stream().anyMatch(VerifiedObject::offeredBefore);
        KnownDirectories parents = new KnownDirectories(new HashMap<>(), again);
        try (Storage.Renames renames = storage.severalRenames()) {
            for (VerifiedObject object : objects) {
                DeliveryOutcome failure = publish(object, parents, renames, unforced);
                if (failure != null) {
                    results.accept(failure);
                }
            }
        }
        crashPoints.reached("landing.after-rename");
        unforced.forEach((directory, those) -> force(directory, those, results));
    }

    /** Below a mount point without its mount there is no landing area, and nothing is to be made or taken for published. */
    private String landingProblem(VerifiedObject object) {
        Path landing = Objects.requireNonNull(object.file().getParent());
        try {
            return storage.facts(landing) == null ? landing + " is gone: is the target's file system mounted?" : "";
        } catch (StorageException e) {
            return String.valueOf(e.getMessage());
        }
    }

    /** Makes the object visible. Null if it is, and is only waiting for the force of its directory. */
    private @Nullable DeliveryOutcome publish(
            VerifiedObject object,
            KnownDirectories parents,
            Storage.Renames renames,
            Map<Path, List<DeliveryOutcome.Delivered>> unforced) {
        Outcome<TargetName> name = TargetName.parseBelow(root, object.manifest().name());
        Refusal refusal = name.refusal();
        if (refusal != null) {
            return new DeliveryOutcome.Failed(object, refusal.detail());
        }
        Path path = name.get().below(root);
        boolean isDirectory = object.manifest().kind() == TransferKind.MAKE_DIRECTORY;
        if (!isDirectory && !object.manifest().kind().hasBytes()) {
            return operate(object, path, unforced);
        }
        if (object.manifest().kind() == TransferKind.PATCH) {
            return patch(object, path, parents, unforced);
        }
        Path directory = isDirectory ? path : directories.parentOf(path);
        boolean mayBeDone = object.mayBeDone();
        try {
            if (mayBeDone && !isDirectory) {
                if (storage.facts(object.file()) == null) {
                    // The rename was made before the crash. Whatever the name shows now, it is not made again.
                    boolean isDoubtful =
                            isDoubtful(object, path, object.commit().sizeBytes());
                    add(unforced, directory, new DeliveryOutcome.Delivered(object, isDoubtful));
                    return null;
                }
                mayBeDone = false;
            }
            String obstacle = makeDirectories(directory, parents);
            if (!obstacle.isEmpty()) {
                return isDirectory
                        ? new DeliveryOutcome.Failed(object, obstacle)
                        : new DeliveryOutcome.Refused(object, obstacle);
            }
            if (isDirectory) {
                return new DeliveryOutcome.Delivered(object); // each new directory's parent was forced
            }
            if (!unforced.containsKey(directory)) {
                directories.checkForceable(directory);
            }
            renames.rename(object.file(), path);
            add(unforced, directory, new DeliveryOutcome.Delivered(object));
            return null;
        } catch (UnknownOutcomeException e) {
            return new DeliveryOutcome.Unsure(object, e);
        } catch (StorageException e) {
            return afterFailure(object, path, e, mayBeDone);
        }
    }

    private static void add(
            Map<Path, List<DeliveryOutcome.Delivered>> unforced, Path directory, DeliveryOutcome.Delivered delivered) {
        unforced.computeIfAbsent(directory, unused -> new ArrayList<>()).add(delivered);
    }

    /** Warns unless an object that is taken for delivered is at its name, as a file of {@code sizeBytes}. Whether it is in doubt. */
    private boolean isDoubtful(VerifiedObject object, Path path, long sizeBytes) throws StorageException {
        FileFacts facts = storage.facts(path);
        String doubt;
        if (facts == null) {
            doubt = "no file is at its name. If no program has taken the file away, send it again";
        } else if (!facts.isFile() || facts.sizeBytes() != sizeBytes) {
            doubt = "what is at its name has another size. If no program has changed the file, send it again";
        } else if (!hasDigest(object, path)) {
            doubt = "what is at its name has other bytes. If no program has changed the file, send it again";
        } else {
            return false;
        }
        LOG.atWarn()
                .addKeyValue("transfer", object.key())
                .addKeyValue("name", Printable.shortly(object.manifest().name()))
                .log("Taken for delivered: its landing file is gone, and " + doubt);
        return true;
    }

    /** Whether the file at {@code path}, which has the size of {@code object}, has its bytes, as far as is known. */
    private boolean hasDigest(VerifiedObject object, Path path) {
        Manifest manifest = object.manifest();
        Commit commit = object.commit();
        int size = manifest.fragmentSizeBytes();
        try {
            if (manifest.kind() == TransferKind.PATCH) { // the digest of the whole file goes soon after its renaming
                return storage.facts(PatchPlan.sum(object.file())) == null
                        || MergedFile.isSound(storage, object.file(), path);
            }
            try (StorageFile file = storage.open(path, OpenMode.READ, FragmentFiles.readModeFor(size))) {
                return scratch.digest(file, commit.sizeBytes(), size, read -> {})
                        .equals(commit.digest());
            }
        } catch (StorageException e) {
            LOG.atWarn().addKeyValue("transfer", object.key()).setCause(e).log("What is at its name cannot be read");
            return false;
        }
    }

    private @Nullable DeliveryOutcome patch(
            VerifiedObject object,
            Path path,
            KnownDirectories parents,
            Map<Path, List<DeliveryOutcome.Delivered>> unforced) {
        boolean mayBeDone = object.mayBeDone();
        boolean isDoubtful = false;
        try {
            if (patcher.isDone(object)) {
                isDoubtful = isDoubtful(
                        object,
                        path,
                        PatchPlan.of(object.manifest())
                                .mergedBytes(object.commit().sizeBytes()));
            } else {
                mayBeDone = false;
                String obstacle = PatchPlan.of(object.manifest()).makesFile()
                        ? makeDirectories(directories.parentOf(path), parents)
                        : "";
                if (!obstacle.isEmpty()) {
                    return new DeliveryOutcome.Failed(object, obstacle);
                }
                operations.checkAbove(path);
                directories.checkForceable(directories.parentOf(path));
                storage.rename(patcher.merge(object, path), path);
                mayBeDone = true;
                storage.delete(PatchPlan.sum(object.file()));
            }
            add(unforced, directories.parentOf(path), new DeliveryOutcome.Delivered(object, isDoubtful));
            return null;
        } catch (NamespaceOperations.RefusedException e) {
            return new DeliveryOutcome.Failed(object, e.reason());
        } catch (UnknownOutcomeException e) {
            return new DeliveryOutcome.Unsure(object, e);
        } catch (StorageException e) {
            return new DeliveryOutcome.Later(object, reason(path, e), mayBeDone);
        }
    }

    private @Nullable DeliveryOutcome operate(
            VerifiedObject object, Path path, Map<Path, List<DeliveryOutcome.Delivered>> unforced) {
        try {
            Optional<Path> directory = operations.run(object, path);
            if (directory.isEmpty()) {
                return new DeliveryOutcome.Delivered(object);
            }
            add(unforced, directory.get(), new DeliveryOutcome.Delivered(object));
            return null;
        } catch (NamespaceOperations.RefusedException e) {
            return new DeliveryOutcome.Failed(object, e.reason());
        } catch (UnknownOutcomeException e) {
            return new DeliveryOutcome.Unsure(object, e);
        } catch (NamespaceOperations.UnforcedException e) {
            return new DeliveryOutcome.Later(object, String.valueOf(e.getMessage()), true);
        } catch (StorageException e) {
            boolean mayBeDone = object.mayBeDone() && !isThere(path);
            return new DeliveryOutcome.Later(object, String.valueOf(e.getMessage()), mayBeDone);
        }
    }

    /** What is to be deleted or renamed and is still there has not been. */
    private boolean isThere(Path path) {
        try {
            return storage.facts(path) != null;
        } catch (StorageException e) {
            return false;
        }
    }

    /**
     * Makes {@code directory} and what lies between it and the root. One at a time: what another one finds there is durable.
     *
     * @return an obstacle that will not go away by itself, or an empty string
     */
    private synchronized String makeDirectories(Path directory, KnownDirectories known) throws StorageException {
        if (directory.equals(root)) {
            return "";
        }
        String before = known.obstacles.get(directory);
        if (before != null) {
            return before;
        }
        String obstacle = makeDirectories(directories.parentOf(directory), known);
        if (obstacle.isEmpty()) {
            obstacle = makeDirectory(directory, known.again);
        }
        known.obstacles.put(directory, obstacle);
        return obstacle;
    }

    private String makeDirectory(Path directory, boolean again) throws StorageException {
        FileFacts facts = storage.facts(directory);
        if (facts == null) {
            create(directory);
            return "";
        }
        String shown = Printable.shortly(root.relativize(directory).toString());
        return switch (facts.kind()) {
            case DIRECTORY -> {
                if (again) {
                    // Its maker may have died before this. No directory is made in one that may not be read.
                    directories.forceNearest(directories.parentOf(directory));
                }
                yield "";
            }
            case SYMBOLIC_LINK ->
                "\"" + shown + "\" is a symbolic link at the destination; links are not followed there. Replace it by a"
                        + " directory.";
            case FILE, OTHER ->
                "\"" + shown + "\" is no directory at the destination, so nothing can be put below it. Move it away.";
        };
    }

    private void create(Path directory) throws StorageException {
        directories.checkForceable(directories.parentOf(directory));
        try {
            storage.createDirectories(directory);
        } catch (StorageException e) {
            FileFacts made = storage.facts(directory);
            if (made != null && made.isDirectory()) {
                throw new UnknownOutcomeException(
                        e); // it is made and was not forced, and what follows would take it for durable
            }
            throw e;
        }
    }

    private DeliveryOutcome afterFailure(
            VerifiedObject object, Path path, StorageException failure, boolean mayBeDone) {
        boolean isDirectory = object.manifest().kind() == TransferKind.MAKE_DIRECTORY;
        try {
            FileFacts target = storage.facts(path);
            if (target != null && target.isDirectory() && !isDirectory) {
                return new DeliveryOutcome.Refused(
                        object,
                        "A directory stands at \""
                                + Printable.shortly(object.manifest().name())
                                + "\" at the destination, where the file should go. Move it away.");
            }
            if (!object.offeredBefore() && !isDirectory && storage.facts(object.file()) == null) {
                return new DeliveryOutcome.Failed(object, "The landing file was removed before it could be published.");
            }
        } catch (StorageException alsoFailed) {
            failure.addSuppressed(alsoFailed);
        }
        return new DeliveryOutcome.Later(object, reason(path, failure), mayBeDone);
    }

    /** Why the object is not at {@code path}, and what to do where that is known. */
    private String reason(Path path, StorageException failure) {
        String said = String.valueOf(failure.getMessage());
        if (!(failure instanceof PathRefusedException refused && refused.isCrossDevice())) {
            return said;
        }
        String directory = root.relativize(directories.parentOf(path)).toString();
        return "A file system is mounted below the target, at or above \"" + Printable.shortly(directory)
                + "\", and a landing file cannot be renamed into it. Deliver there with an agent-b of its own, or unmount it ("
                + said + ").";
    }

    /** Rename first, then force: only then the name is durable. */
    private void force(Path directory, List<DeliveryOutcome.Delivered> renamed, Consumer<DeliveryOutcome> results) {
        try {
            directories.force(directory);
            renamed.forEach(results);
        } catch (UnknownOutcomeException e) {
            renamed.forEach(each -> results.accept(new DeliveryOutcome.Unsure(each.object(), e)));
        } catch (StorageException e) {
            // Renamed, and taken out of reach since; when it is offered again only the force is left to do.
            String reason = "It can be seen, and is not known to be durable: " + e.getMessage();
            renamed.forEach(each -> results.accept(new DeliveryOutcome.Later(each.object(), reason, true)));
        }
    }

    /**
     * What was found out about directories in one call.
     *
     * @param obstacles for each directory that was looked at: the obstacle, or an empty string
     * @param again whether an earlier process or call may have made directories without coming to their force
     */
    private record KnownDirectories(Map<Path, String> obstacles, boolean again) {}
}
