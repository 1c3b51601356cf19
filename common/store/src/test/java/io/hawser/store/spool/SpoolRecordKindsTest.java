package io.hawser.store.spool;

import static io.hawser.store.spool.SpoolGoldenTest.COMMIT;
import static io.hawser.store.spool.SpoolGoldenTest.KEY;
import static io.hawser.store.spool.SpoolGoldenTest.MANIFEST;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.core.model.Extension;
import io.hawser.core.model.Manifest;
import io.hawser.store.journal.RecordKindsContract;
import io.hawser.store.storage.FormatTooNewException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SpoolRecordKindsTest {
    @Test
    void everyKindComesBack() throws Exception {
        RecordKindsContract.check(
                SpoolRecordKinds.KINDS, List.copyOf(SpoolGoldenTest.records().values()));
    }

    @Test
    void aManifestThatMustBeUnderstoodAndIsNotWasWrittenByALaterVersion() {
        Manifest later = new Manifest(
                KEY,
                7,
                MANIFEST.topic(),
                MANIFEST.kind(),
                "n",
                List.of("n"),
                1,
                4096,
                Map.of(),
                List.of(new Extension(900, true, new byte[0])));

        assertThatThrownBy(() -> RecordKindsContract.again(SpoolRecordKinds.KINDS, new SpoolRecord.Opened(later, null)))
                .isInstanceOf(FormatTooNewException.class);
    }

    @Test
    void theBoundOfASmallRecordHolds() {
        byte[] body = SpoolRecordKinds.KINDS.encode(new SpoolRecord.Small(MANIFEST, COMMIT));

        assertThat(body.length).isLessThanOrEqualTo(SpoolRecordKinds.maxSmallBodyBytes(MANIFEST));
    }
}
