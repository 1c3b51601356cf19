package io.hawser.it.reference;

import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Commit;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.Receipt;
import io.hawser.store.spool.DiskSpool;
import io.hawser.store.spool.SpoolPhase;
import io.hawser.store.spool.TransferSnapshot;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Where a spool that was opened does not say what the documents find in its directory. It keeps nothing. Thread: the spool's loop. */
public final class SpoolComparison {
    private static final Map<SpoolPhase, ReferenceSpool.Phase> PHASES = new EnumMap<>(Map.of(
            SpoolPhase.RECEIVING, ReferenceSpool.Phase.RECEIVING,
            SpoolPhase.INCOMPLETE, ReferenceSpool.Phase.INCOMPLETE,
            SpoolPhase.SPOOLED, ReferenceSpool.Phase.SPOOLED,
            SpoolPhase.BROKERED, ReferenceSpool.Phase.BROKERED,
            SpoolPhase.CANCELLED, ReferenceSpool.Phase.CANCELLED,
            SpoolPhase.REFUSED, ReferenceSpool.Phase.REFUSED));

    private SpoolComparison() {}

    /** A sentence for each transfer on which they differ. */
    public static List<String> differences(ReferenceSpool documents, DiskSpool spool) {
        return ReferenceDifference.between(expected(documents), found(spool));
    }

    private static Map<String, String> expected(ReferenceSpool spool) {
        Map<String, String> all = new TreeMap<>();
        spool.transfers().forEach((key, transfer) -> {
            boolean inDoubt = transfer.phase == ReferenceSpool.Phase.CANCELLED && transfer.inDoubt;
            all.put(
                    key.toString(),
                    line(
                            transfer.manifest,
                            inDoubt ? ReferenceSpool.Phase.SPOOLED : transfer.phase,
                            transfer.commit,
                            transfer.leaves.bytes(),
                            transfer.deliverySet,
                            transfer.receipts.values().stream().toList(),
                            inDoubt ? "" : transfer.refusal,
                            inDoubt ? transfer.detail() : transfer.recall));
        });
        return all;
    }

    private static Map<String, String> found(DiskSpool spool) {
        Map<String, String> all = new TreeMap<>();
        for (TransferSnapshot each : spool.states()) {
            Refusal refusal = each.refusal();
            all.put(
                    each.manifest().key().toString(),
                    line(
                            each.manifest(),
                            Objects.requireNonNull(PHASES.get(each.phase())),
                            each.commit(),
                            each.commit() == null ? each.durableBytes() : 0,
                            each.deliverySet(),
                            each.receipts(),
                            refusal == null ? "" : refusal.code().code() + " " + refusal.detail(),
                            each.recall() == null ? "" : each.recall()));
        }
        return all;
    }

    private static String line(
            Manifest manifest,
            ReferenceSpool.Phase phase,
            @Nullable Commit commit,
            long durableBytes,
            List<String> deliverySet,
            List<Receipt> receipts,
            String refusal,
            String recall) {
        Map<String, Receipt> sorted = new TreeMap<>();
        receipts.forEach(receipt -> sorted.put(receipt.subscription(), receipt));
        return phase + " " + manifest.number() + " " + manifest.hashCode() + " " + commit + " " + durableBytes + " "
                + deliverySet + " " + sorted + " " + refusal + " " + recall;
    }
}
