package io.hawser.store.spool;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.TransferId;
import io.hawser.core.model.TransferKey;
import io.hawser.store.journal.RecordKindsContract;
import io.hawser.store.storage.StorageException;
import java.util.Arrays;

/** What a spool reads back from its disk: records of the journal. */
class SpoolFuzzTest {
    private static final TransferKey KEY = new TransferKey(new NodeId(1, 2), new TransferId(3, 4));

    /** The first byte is the record's kind, the second whether it has a key. */
    @FuzzTest(maxDuration = "2m")
    void journalRecord(byte[] data) throws StorageException {
        if (data.length < 2) {
            return;
        }
        TransferKey key = data[1] == 0 ? null : KEY;
        byte[] body = Arrays.copyOfRange(data, 2, data.length);
        SpoolRecord record;
        try {
            record = SpoolRecordKinds.KINDS.decode(RecordKindsContract.logged(data[0] & 0x7F, key, body));
        } catch (StorageException e) {
            assertThat(e).hasMessageContaining("journal");
            return;
        }
        assertThat(RecordKindsContract.again(SpoolRecordKinds.KINDS, record)).isEqualTo(record);
    }
}
