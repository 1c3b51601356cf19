package io.hawser.store.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferId;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import io.hawser.store.storage.CorruptRecordException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FieldReaderTest {
    private static final TransferKey KEY = new TransferKey(new NodeId(1, 2), new TransferId(3, 4));

    private static FieldReader reader(FieldWriter out) {
        return new FieldReader(out.toBytes());
    }

    @Test
    void readsWhatWasWritten() throws CorruptRecordException {
        FragmentRanges ranges = FragmentRanges.of(0, 3);
        ranges.add(5, 9);
        Receipt receipt = new Receipt(KEY, "s", ReceiptStatus.DELIVERED, "why", 7);
        FieldReader in = reader(new FieldWriter()
                .u8(200)
                .flag(true)
                .flag(false)
                .bytes(new byte[] {1, 2})
                .key(KEY)
                .strings(List.of("a", "ü"))
                .pairs(Map.of("b", "2", "a", "1"))
                .receipt(receipt)
                .ranges(ranges));

        assertThat(in.u8()).isEqualTo(200);
        assertThat(in.flag()).isTrue();
        assertThat(in.flag()).isFalse();
        assertThat(in.bytes()).containsExactly(1, 2);
        assertThat(in.key()).isEqualTo(KEY);
        assertThat(in.strings()).containsExactly("a", "ü");
        assertThat(in.pairs()).isEqualTo(Map.of("a", "1", "b", "2"));
        assertThat(in.receipt(KEY)).isEqualTo(receipt);
        assertThat(in.ranges()).isEqualTo(ranges);
        assertThatThrownBy(in::u8).isInstanceOf(CorruptRecordException.class);
    }

    private static Manifest manifest(List<String> paths) {
        return new Manifest(KEY, 1, new Topic("t"), TransferKind.FILE, "a", paths, 9, 4096, Map.of("x", "y"));
    }

    @Test
    void readsManifestsWhateverPathsTheyTouch() throws CorruptRecordException {
        for (List<String> paths : List.of(List.of("a"), List.of("b"), List.of("a", "b"))) {
            Manifest manifest = manifest(paths);
            FieldReader in = reader(new FieldWriter().description(manifest).pairs(manifest.attributes()));
            assertThat(in.manifest(KEY, in::pairs)).isEqualTo(manifest);
        }
    }

    @ParameterizedTest
    @CsvSource({"-1, 5", "5, 5", "5, 4"})
    void refusesARangeThatCannotBe(long start, long end) {
        FieldReader in = reader(new FieldWriter().i32(1).i64(start).i64(end));
        assertThatThrownBy(in::ranges)
                .isInstanceOf(CorruptRecordException.class)
                .hasMessage("a range from " + start + " to " + end);
    }

    /** Before anything is allocated. */
    @ParameterizedTest
    @CsvSource({"-1", "2147483647", "-2147483648"})
    void refusesACountOrALengthThatTheBodyHasNoRoomFor(int count) {
        byte[] body = new FieldWriter().i32(count).i64(0).toBytes();
        assertThatThrownBy(() -> new FieldReader(body).bytes()).isInstanceOf(CorruptRecordException.class);
        assertThatThrownBy(() -> new FieldReader(body).strings()).isInstanceOf(CorruptRecordException.class);
        assertThatThrownBy(() -> new FieldReader(body).pairs()).isInstanceOf(CorruptRecordException.class);
        assertThatThrownBy(() -> new FieldReader(body).ranges()).isInstanceOf(CorruptRecordException.class);
    }

    @Test
    void callsAValueThatCannotBeDamage() throws CorruptRecordException {
        FieldReader in = reader(new FieldWriter().string("s").u8(99).string("").i64(0));
        assertThatThrownBy(() -> in.receipt(KEY))
                .isInstanceOf(CorruptRecordException.class)
                .hasMessageStartingWith("a receipt that cannot be: ");
        assertThat(FieldReader.checked("topic", () -> new Topic("t"))).isEqualTo(new Topic("t"));
    }
}
