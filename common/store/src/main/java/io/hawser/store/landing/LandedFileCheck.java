package io.hawser.store.landing;

import io.hawser.core.hop.Outcome;
import io.hawser.core.model.Commit;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.Printable;
import io.hawser.core.model.TransferKind;
import io.hawser.store.check.CheckContext;
import io.hawser.store.check.Findings;
import io.hawser.store.content.FragmentFile;
import io.hawser.store.content.FragmentFiles;
import io.hawser.store.content.LeafSlot;
import io.hawser.store.content.ScratchBuffers;
import io.hawser.store.storage.FileFacts;
import io.hawser.store.storage.FormatTooNewException;
import io.hawser.store.storage.OpenMode;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import io.hawser.store.storage.StorageFile;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Compares the landing file of one transfer with its journal record, and its bytes with their digests.
 *
 * <p>Thread: one at a time.
 */
final class LandedFileCheck {
    private static final String SEND_AGAIN =
            "Stop agent-b, remove the file and send the object again under a new transfer. Check the disk (dmesg, smartctl).";
    private static final String FETCHED_AGAIN =
            "Remove this transfer's files here: its fragments are then asked for again. Check the disk (dmesg, smartctl).";

    private final CheckContext context;
    private final Findings findings;
    private final Storage storage;
    private final LandingFiles files;
    private final ScratchBuffers scratch = new ScratchBuffers(ScratchBuffers.READ_BYTES);

    LandedFileCheck(CheckContext context, Path directory) {
        this.context = context;
        this.findings = context.findings();
        this.storage = context.storage();
        this.files = new LandingFiles(storage, directory, scratch);
    }

    /** A transfer that fragments come for. */
    void incomplete(Manifest manifest) throws StorageException {
        if (!manifest.kind().hasBytes()) {
            return;
        }
        Path part = files.path(manifest.key());
        Path leaves = files.leavesPath(manifest.key());
        if (storage.facts(leaves) == null) {
            findings.note(
                    "landing.restarts",
                    leaves,
                    0,
                    "Nothing is known of the bytes of " + text(manifest) + ", which is not complete.",
                    "Nothing: it starts again from zero, and the broker has it.");
            return;
        }
        if (storage.facts(part) == null) {
            findings.damage(
                    "landing.part-missing",
                    part,
                    0,
                    "The bytes of " + text(manifest) + " that were here are gone.",
                    "Nothing: the broker still has them, and the transfer starts again from zero. Find out who removed them.");
            return;
        }
        try (FragmentFile file = files.file(manifest, OpenMode.READ)) {
            file.open();
            findings.counted("landing files", 1);
            long unreadable = file.scan(0, leaf -> fragment(manifest, file, leaf));
            if (unreadable > 0) {
                findings.damage(
                        "landing.leaves",
                        leaves,
                        unreadable * LeafSlot.LENGTH_BYTES,
                        "The digests of " + unreadable + (unreadable == 1 ? " fragment" : " fragments") + " of "
                                + text(manifest) + " cannot be read.",
                        "Nothing: they are fetched again. Check the disk (dmesg, smartctl).");
            }
        } catch (FormatTooNewException e) {
            findings.damage(
                    "landing.version",
                    leaves,
                    0,
                    e.getMessage() + ".",
                    "Run the version of Hawser that wrote it; nothing is known to be damaged.");
        } catch (StorageException e) {
            findings.damage("landing.leaves", leaves, 0, e.getMessage() + ".", FETCHED_AGAIN);
        }
    }

    private void fragment(Manifest manifest, FragmentFile file, LeafSlot leaf) throws StorageException {
        long position = leaf.index() * manifest.fragmentSizeBytes();
        findings.counted("fragments", 1);
        boolean isShort = position + leaf.length() > file.sizeBytes();
        findings.read(context.quick() ? 0 : leaf.length());
        if (isShort || (!context.quick() && !file.isSound(leaf))) {
            findings.damage(
                    isShort ? "landing.short" : "landing.damaged",
                    file.path() + " at " + position,
                    leaf.length(),
                    "Fragment " + leaf.index() + " of " + text(manifest)
                            + (isShort ? " reaches past the end of the file." : " is not as it was verified."),
                    FETCHED_AGAIN);
        }
    }

    /** A transfer that is complete; {@code parked}: on the dead-letter list. */
    void whole(Manifest manifest, Commit commit, boolean parked) throws StorageException {
        if (!manifest.kind().hasBytes()) {
            return;
        }
        Path part = files.path(manifest.key());
        if (storage.facts(part) == null) {
            if (manifest.kind() == TransferKind.PATCH && storage.facts(PatchPlan.merged(part)) != null) {
                merged(manifest, commit, part);
            } else {
                gone(manifest, commit, part, parked);
            }
            return;
        }
        try (StorageFile bytes = open(part, manifest)) {
            findings.counted("landing files", 1);
            if (bytes.sizeBytes() != commit.sizeBytes()) {
                findings.damage(
                        "landing.size",
                        part,
                        Math.abs(commit.sizeBytes() - bytes.sizeBytes()),
                        text(manifest) + " was complete with " + commit.sizeBytes() + " bytes; the file has "
                                + bytes.sizeBytes() + ".",
                        SEND_AGAIN);
            } else if (!context.quick() && !hasDigest(bytes, manifest, commit)) {
                findings.damage(
                        "landing.damaged",
                        part,
                        commit.sizeBytes(),
                        "The bytes of " + text(manifest) + " do not make the digest with which it was verified.",
                        SEND_AGAIN);
            }
        } catch (StorageException e) {
            findings.unreadable(part, commit.sizeBytes(), e);
        }
    }

    private boolean hasDigest(Path path, Manifest manifest, Commit commit) throws StorageException {
        try (StorageFile bytes = open(path, manifest)) {
            return hasDigest(bytes, manifest, commit);
        }
    }

    private boolean hasDigest(StorageFile bytes, Manifest manifest, Commit commit) throws StorageException {
        return scratch.digest(bytes, commit.sizeBytes(), manifest.fragmentSizeBytes(), findings::read)
                .equals(commit.digest());
    }

    /** The whole file that a patch makes, which is still to get its name. */
    private void merged(Manifest manifest, Commit commit, Path part) throws StorageException {
        Path merged = PatchPlan.merged(part);
        FileFacts facts = storage.facts(merged);
        long sizeBytes = finalBytes(manifest, commit);
        findings.counted("landing files", 1);
        if (facts == null || facts.sizeBytes() != sizeBytes) {
            findings.damage(
                    "landing.size",
                    merged,
                    sizeBytes,
                    "The file that " + text(manifest) + " makes was complete with " + sizeBytes + " bytes; now it has "
                            + (facts == null ? 0 : facts.sizeBytes()) + ".",
                    SEND_AGAIN);
            return;
        }
        try {
            if (!context.quick() && !MergedFile.isSound(storage, part)) {
                findings.damage(
                        "landing.damaged",
                        merged,
                        sizeBytes,
                        "The file that " + text(manifest) + " makes does not make the digest beside it.",
                        SEND_AGAIN);
            }
        } catch (StorageException e) {
            findings.unreadable(merged, sizeBytes, e);
        }
    }

    /** How long the file at its name is when it is published. */
    private static long finalBytes(Manifest manifest, Commit commit) {
        return manifest.kind() == TransferKind.PATCH
                ? PatchPlan.of(manifest).mergedBytes(commit.sizeBytes())
                : commit.sizeBytes();
    }

    /** Without its landing file it counts as published, unless it is a dead letter. */
    private void gone(Manifest manifest, Commit commit, Path part, boolean parked) throws StorageException {
        Path published = parked ? null : published(manifest);
        FileFacts facts = published == null ? null : storage.facts(published);
        if (published != null && facts != null && isIt(manifest, commit, part, published, facts)) {
            findings.note(
                    "landing.published",
                    published,
                    0,
                    text(manifest) + " was published; the node ended before it wrote that down.",
                    "Nothing: the next start does, and sends the receipt.");
            return;
        }
        findings.damage(
                "landing.verified-gone",
                part,
                commit.sizeBytes(),
                text(manifest) + (parked ? " waits on the dead-letter list" : " waits to be delivered")
                        + ", and its landing file is gone" + (facts == null ? "" : "; another file is at its name")
                        + (parked
                                ? ". It fails when it is tried again."
                                : isBelowTarget()
                                        ? ". The next start takes it for delivered."
                                        : ". The next start ends it as failed."),
                parked ? "Send it again." : "If no program has taken the object away or changed it, send it again.");
    }

    /** Whether the file at its name is the object, as far as can be told. */
    private boolean isIt(Manifest manifest, Commit commit, Path part, Path published, FileFacts facts)
            throws StorageException {
        if (!facts.isFile() || facts.sizeBytes() != finalBytes(manifest, commit)) {
            return false;
        }
        if (context.quick()) {
            return true;
        }
        try {
            return manifest.kind() == TransferKind.PATCH
                    // The digest of the whole file goes soon after its renaming.
                    ? storage.facts(PatchPlan.sum(part)) == null || MergedFile.isSound(storage, part, published)
                    : hasDigest(published, manifest, commit);
        } catch (StorageException e) {
            findings.unreadable(published, facts.sizeBytes(), e);
            return true;
        }
    }

    /** Where it goes, if that is a directory that is known from where the landing area lies. */
    private @Nullable Path published(Manifest manifest) {
        Path root = area().getParent();
        if (root == null || !isBelowTarget()) {
            return null;
        }
        Outcome<TargetName> name = TargetName.parseBelow(root, manifest.name());
        return name.isRefused() ? null : name.get().below(root);
    }

    private Path area() {
        return context.directory().toAbsolutePath().normalize();
    }

    /** Whether the landing area is that of a directory, and not of a far server or a program. */
    private boolean isBelowTarget() {
        return String.valueOf(area().getFileName()).startsWith(LandingOptions.DIRECTORY_PREFIX);
    }

    private StorageFile open(Path part, Manifest manifest) throws StorageException {
        return storage.open(part, OpenMode.READ, FragmentFiles.readModeFor(manifest.fragmentSizeBytes()));
    }

    private static String text(Manifest manifest) {
        return "Transfer " + manifest.key() + " (\"" + Printable.shortly(manifest.name()) + "\")";
    }
}
