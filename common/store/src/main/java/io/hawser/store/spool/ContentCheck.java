package io.hawser.store.spool;

import io.hawser.core.integrity.TreeDigest;
import io.hawser.core.model.Commit;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.Printable;
import io.hawser.core.model.TransferId;
import io.hawser.store.check.CheckContext;
import io.hawser.store.check.Findings;
import io.hawser.store.check.FragmentHasher;
import io.hawser.store.check.NodeFiles;
import io.hawser.store.content.LeafFile;
import io.hawser.store.content.LeafSlot;
import io.hawser.store.storage.OpenMode;
import io.hawser.store.storage.StorageException;
import io.hawser.store.storage.StorageFile;
import java.nio.file.Path;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The content of one transfer of a spool: the file is there and long enough, every slot is, each fragment makes the leaf in its
 * slot, and the leaves make the digest of the commit.
 *
 * <p>Thread: one at a time.
 */
final class ContentCheck {
    private static final String SEND_AGAIN =
            "Upload it again: while it is damaged it is not sent. Check the disk (dmesg, smartctl).";

    private static final String BROKER_HAS_IT =
            "Nothing is to be sent again: the broker has all of it. What is damaged is the copy that is kept here until the receipt"
                    + " has come. Check the disk (dmesg, smartctl).";

    private final CheckContext context;
    private final Findings findings;
    private final ContentFiles files;
    private final FragmentHasher reader;

    ContentCheck(CheckContext context, ContentFiles files) {
        this.context = context;
        this.findings = context.findings();
        this.files = files;
        this.reader = new FragmentHasher(context.findings());
    }

    void check(SpoolTransfer transfer) throws StorageException {
        TransferId id = transfer.key().id();
        try {
            if (!transfer.hasDataFile()) {
                slots(transfer, null);
            } else if (files.hasData(id)) {
                Manifest manifest = transfer.manifest();
                try (StorageFile data =
                        files.openData(id, OpenMode.READ, FragmentHasher.cachingFor(manifest.fragmentSizeBytes()))) {
                    findings.counted("content files", 1);
                    checkLength(transfer, data);
                    slots(transfer, data);
                }
            } else {
                noData(transfer);
            }
        } catch (StorageException e) {
            findings.unreadable(files.dataPath(id), 0, e);
        }
    }

    /** What the next hop has committed needs nothing here any more; an upload that ended before its first byte has nothing. */
    private static boolean isNeeded(SpoolTransfer transfer) {
        return transfer.commit() != null && transfer.durableBytes() > 0 && transfer.phase() != SpoolPhase.BROKERED;
    }

    private void noData(SpoolTransfer transfer) {
        if (isNeeded(transfer)) {
            findings.damage(
                    "spool.content-missing",
                    files.dataPath(transfer.key().id()),
                    transfer.durableBytes(),
                    "The content of " + text(transfer) + ", which was accepted, is gone.",
                    "Restore the file from a backup, or upload it again.");
        }
    }

    private void checkLength(SpoolTransfer transfer, StorageFile data) throws StorageException {
        Commit commit = transfer.commit();
        if (commit != null && data.sizeBytes() < commit.sizeBytes()) {
            findings.damage(
                    "spool.content-short",
                    data.path(),
                    commit.sizeBytes() - data.sizeBytes(),
                    "The content of " + text(transfer) + " has " + data.sizeBytes() + " bytes instead of "
                            + commit.sizeBytes() + ".",
                    advice(transfer));
        }
    }

    private void slots(SpoolTransfer transfer, @Nullable StorageFile data) throws StorageException {
        TransferId id = transfer.key().id();
        Path path = files.leavesPath(id);
        if (context.storage().facts(path) == null) {
            if (isNeeded(transfer)) {
                findings.damage(
                        "spool.leaves-missing",
                        path,
                        NodeFiles.sizeOf(context.storage(), files.dataPath(id)),
                        "The digests of " + text(transfer) + " are gone: it cannot be sent.",
                        advice(transfer));
            }
            return;
        }
        SlotCheck slots = new SlotCheck(transfer, data);
        try (StorageFile leaves = files.openLeaves(id, OpenMode.READ)) {
            LeafFile.scan(leaves, transfer.key(), 0, slots);
        }
        slots.end(path);
    }

    private static String advice(SpoolTransfer transfer) {
        return transfer.phase() == SpoolPhase.BROKERED ? BROKER_HAS_IT : SEND_AGAIN;
    }

    private static String text(SpoolTransfer transfer) {
        return "transfer " + transfer.key().id() + " ("
                + transfer.manifest().topic().name() + ", \""
                + Printable.shortly(transfer.manifest().name()) + "\")";
    }

    /** Sees the slots of one transfer. */
    private final class SlotCheck implements LeafFile.Visitor {
        private final SpoolTransfer transfer;
        private final @Nullable StorageFile data;
        private final TreeDigest.Builder tree = new TreeDigest.Builder();

        SlotCheck(SpoolTransfer transfer, @Nullable StorageFile data) {
            this.transfer = transfer;
            this.data = data;
        }

        @Override
        public void slot(LeafSlot slot) throws StorageException {
            if (slot.index() == tree.count()) {
                tree.add(slot.leaf());
            }
            StorageFile file = data;
            if (file == null) {
                return;
            }
            int size = transfer.manifest().fragmentSizeBytes();
            long position = slot.index() * size;
            findings.counted("fragments", 1);
            if (position + slot.length() > file.sizeBytes()) {
                if (transfer.commit() == null) { // otherwise the file's length has been found already
                    findings.damage(
                            "spool.content-short",
                            file.path() + " at " + position,
                            slot.length(),
                            "The file ends before fragment " + slot.index() + " of " + text(transfer) + " does.",
                            advice(transfer));
                }
            } else if (!context.quick() && !Arrays.equals(reader.hash(file, position, slot.length()), slot.leaf())) {
                findings.damage(
                        "spool.content-damaged",
                        file.path() + " at " + position,
                        slot.length(),
                        "Fragment " + slot.index() + " of " + text(transfer) + " is not as it came in.",
                        advice(transfer));
            }
        }

        void end(Path path) {
            Commit commit = transfer.commit();
            if (commit == null) {
                return;
            }
            if (tree.count() < commit.fragmentCount()) {
                findings.damage(
                        "spool.slot-missing",
                        path + " at " + LeafSlot.position(tree.count()),
                        LeafSlot.LENGTH_BYTES,
                        "The digest of fragment " + tree.count() + " of " + text(transfer) + " cannot be read.",
                        advice(transfer));
            } else if (tree.count() == commit.fragmentCount()
                    && !tree.root(commit.sizeBytes(), transfer.manifest().fragmentSizeBytes())
                            .equals(commit.digest())) {
                findings.damage(
                        "spool.root",
                        path,
                        commit.sizeBytes(),
                        "The digests of the fragments of " + text(transfer) + " do not make that of its commit.",
                        advice(transfer));
            }
        }
    }
}
