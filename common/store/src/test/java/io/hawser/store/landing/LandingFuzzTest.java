package io.hawser.store.landing;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.hawser.core.model.Attributes;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.PatchRanges;
import io.hawser.core.model.TransferId;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import io.hawser.store.journal.RecordKindsContract;
import io.hawser.store.storage.StorageException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;

/** What a landing area reads back from its disk, and what a publisher's manifest asks of it. */
class LandingFuzzTest {
    private static final TransferKey KEY = new TransferKey(new NodeId(1, 2), new TransferId(3, 4));

    /** The first byte is the record's kind. */
    @FuzzTest(maxDuration = "2m")
    void journalRecord(byte[] data) throws StorageException {
        if (data.length < 1) {
            return;
        }
        LandingRecord record;
        try {
            record = LandingRecordKinds.KINDS.decode(
                    RecordKindsContract.logged(data[0], KEY, Arrays.copyOfRange(data, 1, data.length)));
        } catch (StorageException e) {
            assertThat(e).hasMessageContaining("landing journal");
            return;
        }
        assertThat(RecordKindsContract.again(LandingRecordKinds.KINDS, record)).isEqualTo(record);
    }

    /** Three lines: base-size, offset, mode. A plan is refused, or its places lie in the file and do not overlap. */
    @FuzzTest(maxDuration = "2m")
    void patch(byte[] data) {
        String[] lines = new String(data, StandardCharsets.UTF_8).split("\n", 3);
        if (lines.length < 3) {
            return;
        }
        Map<String, String> attributes =
                Map.of(Attributes.BASE_SIZE, lines[0], Attributes.OFFSET, lines[1], Attributes.MODE, lines[2]);
        Manifest manifest;
        try {
            manifest = LandingRig.manifest(1, TransferKind.PATCH, "f", 5000, attributes);
        } catch (IllegalArgumentException e) {
            return; // too heavy
        }
        if (PatchPlan.check(manifest) != null) {
            return;
        }
        PatchPlan plan = PatchPlan.of(manifest);
        assertThat(plan.baseSizeBytes()).isNotNegative();
        assertThat(plan.mergedBytes(5000)).isGreaterThanOrEqualTo(plan.baseSizeBytes());
        assertThat(PatchRanges.parse(plan.places().text())).contains(plan.places());
        long placed = 0;
        long before = -1;
        for (var range : plan.places().inFile(0, 5000)) {
            assertThat(range.start()).isGreaterThan(before);
            assertThat(plan.places().inPatch(range.start(), range.count())).isEqualTo(placed);
            before = range.end() - 1;
            placed += range.count();
        }
        assertThat(placed).isEqualTo(5000);
        plan.mode().ifPresent(mode -> assertThat(mode).isBetween(0, 0777));
    }
}
