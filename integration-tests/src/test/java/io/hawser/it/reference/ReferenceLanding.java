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

/** What a landing directory says of each transfer: the last record of each key, and the sidecars of what is open. Thread: its owner's. */
public final class ReferenceLanding {
    /** The kinds of records, in the order of their numbers. */
    enum Phase {
        OPENED,
        VERIFIED,
        ENDED,
        ACKED,
        CANCELLED,
        DROPPED,
        PARKED,
        ACKED_FAILURE
    }

    /**
     * One transfer.
     *
     * @param number of VERIFIED its order, of the others their time; 0 if they have none
     * @param overtakenBy of PARKED a later transfer, or an empty string
     * @param hasFile whether its landing file is there, and of OPENED its sidecar too: else it begins again; true of what has no bytes
     */
    record Transfer(
            Phase phase,
            long number,
            @Nullable Manifest manifest,
            @Nullable Commit commit,
            @Nullable Receipt receipt,
            String reason,
            String overtakenBy,
            ReferenceLeaves leaves,
            boolean hasFile) {
        static Transfer of(Phase phase, long number) {
            return new Transfer(phase, number, null, null, null, "", "", ReferenceLeaves.none(), false);
        }

        Transfer found(ReferenceLeaves durable, boolean file) {
            return new Transfer(phase, number, manifest, commit, receipt, reason, overtakenBy, durable, file);
        }
    }

    private final Map<TransferKey, Transfer> transfers = new TreeMap<>();

    private ReferenceLanding() {}

    /** Reads the landing area in {@code directory}. */
    public static ReferenceLanding read(Storage storage, Path directory) throws StorageException {
        ReferenceLanding landing =
                of(ReferenceLog.read(storage, directory.resolve("journal")).records());
        for (Map.Entry<TransferKey, Transfer> each : landing.transfers.entrySet()) {
            Manifest manifest = each.getValue().manifest;
            if (manifest != null) {
                Path file = directory.resolve("files").resolve(each.getKey() + ".part");
                Path leaves = directory.resolve("files").resolve(each.getKey() + ".leaves");
                boolean open = each.getValue().phase == Phase.OPENED;
                each.setValue(each.getValue()
                        .found(
                                open
                                        ? ReferenceLeaves.read(
                                                storage,
                                                leaves,
                                                file,
                                                each.getKey(),
                                                manifest.fragmentSizeBytes(),
                                                true)
                                        : ReferenceLeaves.none(),
                                !manifest.kind().hasBytes()
                                        || (storage.facts(file) != null && (!open || storage.facts(leaves) != null))));
            }
        }
        return landing;
    }

    /** The fold of a journal's records. */
    static ReferenceLanding of(List<ReferenceRecord> records) throws StorageException {
        ReferenceLanding landing = new ReferenceLanding();
        for (ReferenceRecord record : records) {
            landing.transfers.put(record.key(), ReferenceInput.whole(record.body(), in -> transfer(record, in)));
        }
        landing.transfers.values().removeIf(transfer -> transfer.phase == Phase.DROPPED);
        return landing;
    }

    /** All that a recovery must know, with tombstones. */
    Map<TransferKey, Transfer> transfers() {
        return transfers;
    }

    private static Transfer transfer(ReferenceRecord record, ReferenceInput in) throws StorageException {
        TransferKey key = record.key();
        if (record.kind() < 1 || record.kind() > Phase.values().length) {
            throw new StorageException("a landing area's record of kind " + record.kind());
        }
        Phase phase = Phase.values()[record.kind() - 1];
        return switch (phase) {
            case OPENED -> {
                long time = in.i64();
                yield held(phase, time, in.manifest(key), null, "", "");
            }
            case VERIFIED -> {
                long order = in.i64();
                Commit commit = in.commit();
                yield held(phase, order, in.manifest(key), commit, "", "");
            }
            case ENDED -> new Transfer(phase, 0, null, null, in.receipt(key), "", "", ReferenceLeaves.none(), false);
            case ACKED, CANCELLED, ACKED_FAILURE -> Transfer.of(phase, in.i64());
            case DROPPED -> Transfer.of(phase, 0);
            case PARKED -> {
                long since = in.i64();
                String reason = in.text();
                String overtakenBy = in.text();
                Commit commit = in.commit();
                yield held(phase, since, in.manifest(key), commit, reason, overtakenBy);
            }
        };
    }

    private static Transfer held(
            Phase phase, long number, Manifest manifest, @Nullable Commit commit, String reason, String overtakenBy) {
        return new Transfer(phase, number, manifest, commit, null, reason, overtakenBy, ReferenceLeaves.none(), false);
    }
}
