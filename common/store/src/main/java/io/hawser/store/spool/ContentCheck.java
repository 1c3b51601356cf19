package io.hawser.store.spool;

import io.hawser.core.integrity.TreeDigest;
import io.hawser.core.model.Commit;
import io.hawser.core.model.Printable;
import io.hawser.core.model.TransferKey;
import io.hawser.store.check.CheckContext;
import io.hawser.store.check.Findings;
import io.hawser.store.check.NodeFiles;
import io.hawser.store.content.FragmentFile;
import io.hawser.store.content.FragmentFiles;
import io.hawser.store.content.LeafFile;
import io.hawser.store.content.LeafSlot;
import io.hawser.store.storage.OpenMode;
import io.hawser.store.storage.StorageException;
import java.nio.file.Path;

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
    private final FragmentFiles files;

    ContentCheck(CheckContext context, FragmentFiles files) {
        this.context = context;
        this.findings = context.findings();
        this.files = files;
    }

    void check(SpoolTransfer transfer) throws StorageException {
        TransferKey key = transfer.key();
        try {
            if (!transfer.hasDataFile()) {
                try (FragmentFile file = files.leavesOnly(transfer.manifest(), OpenMode.READ)) {
                    slots(transfer, file);
                }
            } else if (files.exists(key)) {
                try (FragmentFile file = files.file(transfer.manifest(), OpenMode.READ)) {
                    findings.counted("content files", 1);
                    checkLength(transfer, file);
                    slots(transfer, file);
                }
            } else {
                noData(transfer);
            }
        } catch (StorageException e) {
            findings.unreadable(files.path(key), 0, e);
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
                    files.path(transfer.key()),
                    transfer.durableBytes(),
                    "The content of " + text(transfer) + ", which was accepted, is gone.",
                    "Restore the file from a backup, or upload it again.");
        }
    }

    private void checkLength(SpoolTransfer transfer, FragmentFile data) throws StorageException {
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

    private void slots(SpoolTransfer transfer, FragmentFile file) throws StorageException {
        Path path = files.leavesPath(transfer.key());
        if (context.storage().facts(path) == null) {
            if (isNeeded(transfer)) {
                findings.damage(
                        "spool.leaves-missing",
                        path,
                        NodeFiles.sizeOf(context.storage(), files.path(transfer.key())),
                        "The digests of " + text(transfer) + " are gone: it cannot be sent.",
                        advice(transfer));
            }
            return;
        }
        SlotCheck slots = new SlotCheck(transfer, file);
        file.scan(0, slots);
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
        private final FragmentFile file;
        private final TreeDigest.Builder tree = new TreeDigest.Builder();

        SlotCheck(SpoolTransfer transfer, FragmentFile file) {
            this.transfer = transfer;
            this.file = file;
        }

        @Override
        public void slot(LeafSlot slot) throws StorageException {
            if (slot.index() == tree.count()) {
                tree.add(slot.leaf());
            }
            if (!file.hasData()) {
                return;
            }
            long position = slot.index() * transfer.manifest().fragmentSizeBytes();
            findings.counted("fragments", 1);
            findings.read(context.quick() ? 0 : slot.length());
            if (position + slot.length() > file.sizeBytes()) {
                if (transfer.commit() == null) { // otherwise the file's length has been found already
                    findings.damage(
                            "spool.content-short",
                            file.path() + " at " + position,
                            slot.length(),
                            "The file ends before fragment " + slot.index() + " of " + text(transfer) + " does.",
                            advice(transfer));
                }
            } else if (!context.quick() && !file.isSound(slot)) {
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
