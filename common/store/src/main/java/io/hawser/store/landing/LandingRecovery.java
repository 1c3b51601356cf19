package io.hawser.store.landing;

import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.TransferKey;
import io.hawser.store.content.FragmentFile;
import io.hawser.store.storage.CorruptRecordException;
import io.hawser.store.storage.OpenMode;
import io.hawser.store.storage.PathMissingException;
import io.hawser.store.storage.StorageException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rebuilds a landing area's state when it opens, from the journal checked against the landing files, and removes files of no
 * transfer, unless records may be lost.
 *
 * @param journal open, and read
 * @param open transfers that fragments may come for, those given up among them
 * @param verified transfers that wait for the target, in the order of their commits
 * @param parked transfers on the dead-letter list, oldest first
 * @param receipts of transfers that have ended, not acked
 * @param tombstones transfers that are over
 * @param strayNotes transfers that are over, or not known at all, and of which a target's note is left
 * @param lastOrder the highest number of a commit
 */
record LandingRecovery(
        LandingJournal journal,
        List<Opened> open,
        List<LandingTransfer> verified,
        List<LandingTransfer> parked,
        List<Receipt> receipts,
        Tombstones tombstones,
        List<TransferKey> strayNotes,
        long lastOrder) {
    private static final Logger LOG = LoggerFactory.getLogger(LandingRecovery.class);

    /** A transfer that is not committed, and what of it is durable. */
    record Opened(LandingTransfer landing, FragmentRanges durable, long durableBytes) {}

    /**
     * Opens the journal and looks at the files. Blocks.
     *
     * @param fatal learns on the loop when the journal dies
     */
    static LandingRecovery run(LandingContext context, Consumer<StorageException> fatal) throws StorageException {
        LandingJournal journal = LandingJournal.open(context, fatal);
        try {
            return fold(context, journal);
        } catch (StorageException | RuntimeException e) {
            journal.close();
            throw e;
        }
    }

    private static LandingRecovery fold(LandingContext context, LandingJournal journal) throws StorageException {
        LandingOptions options = context.options();
        List<Opened> open = new ArrayList<>();
        List<LandingRecord.Verified> verified = new ArrayList<>();
        List<LandingRecord.Parked> parked = new ArrayList<>();
        List<Receipt> receipts = new ArrayList<>();
        Tombstones tombstones = new Tombstones(
                options.retention().tombstone().toMillis(), options.limits().maxTombstones());
        for (LandingRecord record : journal.records()) {
            if (record instanceof LandingRecord.Opened opened) {
                open.add(reopen(context, opened));
            } else if (record instanceof LandingRecord.Verified done) {
                verified.add(done);
            } else if (record instanceof LandingRecord.Parked dead) {
                parked.add(dead);
            } else if (record instanceof LandingRecord.Ended ended) {
                receipts.add(ended.receipt());
            } else if (record instanceof LandingRecord.Acked acked) {
                tombstones.add(acked.key(), Tombstones.End.DELIVERED, acked.epochMillis());
            } else if (record instanceof LandingRecord.AckedFailure failure) {
                tombstones.add(failure.key(), Tombstones.End.FAILED, failure.epochMillis());
            } else { // what was dropped is not remembered
                LandingRecord.Cancelled cancelled = (LandingRecord.Cancelled) record;
                tombstones.add(cancelled.key(), Tombstones.End.CANCELLED, cancelled.epochMillis());
            }
        }
        verified.sort(Comparator.comparingLong(LandingRecord.Verified::order));
        long lastOrder =
                verified.isEmpty() ? 0 : verified.get(verified.size() - 1).order();
        parked.sort(Comparator.comparingLong(dead -> dead.letter().sinceMillis()));
        List<TransferKey> strayNotes = tidy(context, journal, open, verified, parked, receipts);
        LOG.atInfo()
                .addKeyValue("directory", options.directory())
                .addKeyValue("open", open.size())
                .addKeyValue("verified", verified.size())
                .addKeyValue("parked", parked.size())
                .addKeyValue("receipts", receipts.size())
                .addKeyValue("tombstones", tombstones.size())
                .log("Landing area opened");
        List<LandingTransfer> landings = verified.stream()
                .map(done -> verified(done, context.nowMillis()))
                .toList();
        List<LandingTransfer> dead = parked.stream()
                .map(record -> parked(record, options.subscription(), context.nowMillis()))
                .toList();
        return new LandingRecovery(journal, open, landings, dead, receipts, tombstones, strayNotes, lastOrder);
    }

    private static LandingTransfer verified(LandingRecord.Verified record, long nowMillis) {
        LandingTransfer landing = LandingTransfer.recovered(record.manifest(), LandingState.VERIFIED, nowMillis);
        landing.commit = record.commit();
        landing.verifiedMillis = nowMillis;
        landing.isUnverified = landing.hasFile();
        return landing;
    }

    private static LandingTransfer parked(LandingRecord.Parked record, String subscription, long nowMillis) {
        LandingTransfer landing = LandingTransfer.recovered(record.manifest(), LandingState.PARKED, nowMillis);
        landing.commit = record.commit();
        landing.deadLetter = record.letter();
        landing.problem = record.letter().reason();
        landing.isUnverified = landing.hasFile();
        landing.mayBeDone = !landing.hasFile();
        landing.verifiedMillis = nowMillis;
        landing.landedReceipt = DeadLetters.receipt(record.letter(), landing, subscription);
        return landing;
    }

    /** What the sidecar says is durable, if the landing file is there; otherwise the transfer starts again from zero. */
    private static Opened reopen(LandingContext context, LandingRecord.Opened record) throws StorageException {
        Manifest manifest = record.manifest();
        FragmentRanges durable = new FragmentRanges();
        LandingTransfer landing = LandingTransfer.recovered(manifest, LandingState.OPEN, record.epochMillis());
        if (!landing.hasFile()) {
            return new Opened(landing, durable, 0);
        }
        try (FragmentFile file = context.files().file(manifest, OpenMode.UPDATE)) {
            long bytes = file.recover(slot -> durable.add(slot.index()));
            landing.touchedMillis =
                    Math.max(record.epochMillis(), context.files().modifiedMillis(manifest.key()));
            landing.reservedBytes = manifest.sizeKnown() ? manifest.sizeBytes() - bytes : 0;
            landing.copyBytes = landing.foreseenCopyBytes();
            context.ledger().hold(landing.reservedBytes + landing.copyBytes);
            return new Opened(landing, durable, bytes);
        } catch (PathMissingException | CorruptRecordException e) {
            LOG.atWarn()
                    .addKeyValue("transfer", manifest.key())
                    .addKeyValue("reason", e.getMessage())
                    .log("An incomplete landing file is not there any more; its transfer starts again from zero");
            LandingTransfer lost = LandingTransfer.recovered(manifest, LandingState.ABANDONED, record.epochMillis());
            lost.problem = "The landing file was lost: " + e.getMessage();
            return new Opened(lost, new FragmentRanges(), 0);
        }
    }

    /** Returns the keys of the notes that are left. */
    private static List<TransferKey> tidy(
            LandingContext context,
            LandingJournal journal,
            List<Opened> open,
            List<LandingRecord.Verified> verified,
            List<LandingRecord.Parked> parked,
            List<Receipt> receipts)
            throws StorageException {
        for (Receipt receipt : receipts) {
            if (receipt.status() == ReceiptStatus.FAILED) {
                context.files().setAside(receipt.key(), context.nowMillis()); // if the last process did not come to it
            }
        }
        Set<TransferKey> incomplete = new HashSet<>();
        open.stream()
                .filter(opened -> opened.landing().state() == LandingState.OPEN)
                .forEach(opened -> incomplete.add(opened.landing().key()));
        Set<TransferKey> kept = new HashSet<>(incomplete);
        verified.forEach(done -> kept.add(done.key()));
        parked.forEach(dead -> kept.add(dead.key()));
        long retained = context.options().retention().incomplete().toMillis();
        context.files().removeSetAside(context.nowMillis() - retained);
        context.ledger().measured(context.files().usableSpaceBytes());
        boolean areKept = journal.keepsOrphans();
        context.files().sweep(context.files().orphans(kept::contains, incomplete::contains), areKept);
        return areKept ? List.of() : context.files().strayNotes(kept::contains);
    }
}
