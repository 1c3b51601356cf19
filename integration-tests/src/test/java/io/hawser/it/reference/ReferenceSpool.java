package io.hawser.it.reference;

import io.hawser.core.model.Commit;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.TransferKey;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What a spool directory says of each transfer: the fold of its journal, and the slots of what has no commit. Thread: its owner's. */
public final class ReferenceSpool {
    /** What the records say of a transfer. An upload that was under way is {@code RECEIVING}, though nobody sends it any more. */
    enum Phase {
        RECEIVING,
        INCOMPLETE,
        SPOOLED,
        BROKERED,
        CANCELLED,
        REFUSED
    }

    /** One transfer that has not ended. */
    static final class Transfer {
        final Manifest manifest;
        /** The path of a file that is read in place, or an empty string. */
        final String source;

        final Map<String, Receipt> receipts = new TreeMap<>();
        Phase phase = Phase.RECEIVING;
        List<String> deliverySet = List.of();
        String refusal = "";
        String recall = "";
        boolean held;
        int priority = 5;
        boolean inDoubt;
        ReferenceLeaves leaves = ReferenceLeaves.none();

        @Nullable
        Commit commit;

        Transfer(Manifest manifest, String source) {
            this.manifest = manifest;
            this.source = source;
        }

        /** The refusal without its code. */
        String detail() {
            return refusal.substring(refusal.indexOf(' ') + 1);
        }

        boolean is(Phase... phases) {
            return List.of(phases).contains(phase);
        }

        @Override
        public String toString() {
            return phase + " " + manifest + " source=" + source + " commit=" + commit + " durable=" + leaves
                    + " deliverySet=" + deliverySet + " receipts=" + receipts.values() + " refusal=" + refusal
                    + " recall=" + recall
                    + " held=" + held + " priority=" + priority
                    + " inDoubt=" + inDoubt;
        }
    }

    private final Map<TransferKey, Transfer> transfers = new TreeMap<>();
    private long highWater;

    private ReferenceSpool() {}

    /** Reads the spool in {@code directory}. */
    public static ReferenceSpool read(Storage storage, Path directory) throws StorageException {
        ReferenceSpool spool =
                of(ReferenceLog.read(storage, directory.resolve("journal")).records());
        for (Transfer transfer : spool.transfers.values()) {
            if (transfer.commit == null && !transfer.is(Phase.CANCELLED)) {
                TransferKey key = transfer.manifest.key();
                Path data = directory.resolve("data");
                Path content = transfer.source.isEmpty() ? data.resolve(key.id() + ".data") : Path.of(transfer.source);
                transfer.leaves = ReferenceLeaves.read(
                        storage,
                        data.resolve(key.id() + ".leaves"),
                        content,
                        key,
                        transfer.manifest.fragmentSizeBytes(),
                        false);
            }
        }
        return spool;
    }

    /** The fold of a journal's records. */
    static ReferenceSpool of(List<ReferenceRecord> records) throws StorageException {
        ReferenceSpool spool = new ReferenceSpool();
        for (ReferenceRecord record : records) {
            ReferenceInput.<Boolean>whole(record.body(), in -> spool.fold(record, in));
        }
        return spool;
    }

    /** Those that have not ended. */
    Map<TransferKey, Transfer> transfers() {
        return transfers;
    }

    /** No transfer that comes later has a lower number. */
    long highWater() {
        return highWater;
    }

    private boolean fold(ReferenceRecord record, ReferenceInput in) throws StorageException {
        TransferKey key = record.key();
        Transfer known = transfers.get(key);
        switch (record.kind()) {
            case 1 -> opened(known, in.manifest(key), source(in));
            case 2 -> small(known, in.manifest(key), in.commit());
            case 3 -> committed(known, in.commit());
            case 4 -> {
                in.i64();
                in.text();
                move(known, Phase.INCOMPLETE, Phase.RECEIVING);
            }
            case 5 -> move(known, Phase.RECEIVING, Phase.INCOMPLETE);
            case 6 -> cancelled(known, in.refusal(), in.flag());
            case 7 -> brokered(known, in.texts());
            case 8 -> receipt(known, in.receipt(key));
            case 9 -> refused(known, in.refusal());
            case 10 -> transfers.remove(key);
            case 11 -> highWater = Math.max(highWater, in.i64());
            case 12 -> move(known, Phase.SPOOLED, Phase.BROKERED);
            case 13 -> recalled(known, in.text());
            case 14 -> steered(known, in.flag(), in.u8());
            case 20 -> {
                in.receipt(key);
                transfers.remove(key);
            }
            default -> throw new StorageException("a spool's record of kind " + record.kind());
        }
        return true;
    }

    private static String source(ReferenceInput in) throws StorageException {
        if (!in.flag()) {
            return "";
        }
        String path = in.text();
        in.i64();
        in.i64();
        in.text();
        return path;
    }

    private void opened(@Nullable Transfer known, Manifest manifest, String source) {
        if (known == null) {
            transfers.put(manifest.key(), new Transfer(manifest, source));
        }
    }

    private void small(@Nullable Transfer known, Manifest manifest, Commit commit) {
        if (known == null) {
            Transfer transfer = new Transfer(manifest, "");
            transfer.commit = commit;
            transfer.phase = Phase.SPOOLED;
            transfers.put(manifest.key(), transfer);
        }
    }

    private static void committed(@Nullable Transfer known, Commit commit) {
        if (known != null && known.is(Phase.RECEIVING, Phase.INCOMPLETE)) {
            known.commit = commit;
            known.phase = Phase.SPOOLED;
        } else if (known != null && known.phase == Phase.BROKERED && known.commit == null) {
            known.commit = commit;
        }
    }

    private static void move(@Nullable Transfer known, Phase to, Phase from) {
        if (known != null && known.phase == from) {
            known.phase = to;
        }
    }

    private static void cancelled(@Nullable Transfer known, String refusal, boolean inDoubt) {
        if (known != null && known.is(Phase.RECEIVING, Phase.INCOMPLETE, Phase.SPOOLED, Phase.REFUSED)) {
            known.phase = Phase.CANCELLED;
            known.refusal = refusal;
            known.inDoubt = inDoubt;
        }
    }

    private static void brokered(@Nullable Transfer known, List<String> subscriptions) {
        if (known != null) {
            if (known.phase == Phase.CANCELLED && known.inDoubt) {
                known.recall = known.detail();
            }
            known.phase = Phase.BROKERED;
            known.deliverySet = subscriptions;
            known.refusal = "";
        }
    }

    private static void recalled(@Nullable Transfer known, String reason) {
        if (known != null && known.is(Phase.BROKERED)) {
            known.recall = reason;
        }
    }

    private static void steered(@Nullable Transfer known, boolean held, int priority) {
        if (known != null && known.is(Phase.RECEIVING, Phase.INCOMPLETE, Phase.SPOOLED)) {
            known.held = held;
            known.priority = priority;
        }
    }

    private static void receipt(@Nullable Transfer known, Receipt receipt) {
        Receipt earlier = known == null ? null : known.receipts.get(receipt.subscription());
        if (known != null && (earlier == null || isNews(receipt, earlier))) {
            known.receipts.put(receipt.subscription(), receipt);
        }
    }

    /** A final word is replaced by another final status only; before it each word counts that is not a repetition. */
    private static boolean isNews(Receipt receipt, Receipt earlier) {
        boolean sameStatus = receipt.status() == earlier.status();
        return earlier.status().isFinal()
                ? receipt.status().isFinal() && !sameStatus
                : !sameStatus || !receipt.reason().equals(earlier.reason());
    }

    private static void refused(@Nullable Transfer known, String refusal) {
        if (known != null && known.is(Phase.RECEIVING, Phase.INCOMPLETE, Phase.SPOOLED)) {
            known.phase = Phase.REFUSED;
            known.refusal = refusal;
        }
    }
}
