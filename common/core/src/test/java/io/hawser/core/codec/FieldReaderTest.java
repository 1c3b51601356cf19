package io.hawser.core.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.core.model.Commit;
import io.hawser.core.model.Extension;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferDigest;
import io.hawser.core.model.TransferId;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FieldReaderTest {
    private static final TransferKey KEY = new TransferKey(new NodeId(1, 2), new TransferId(3, 4));

    private static FieldReader reader(FieldWriter out) {
        return new FieldReader(out.toBytes());
    }

    @Test
    void readsWhatWasWritten() {
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
        assertThatThrownBy(in::u8).isInstanceOf(MalformedFieldException.class);
    }

    private static Manifest manifest(List<String> paths) {
        return new Manifest(KEY, 1, new Topic("t"), TransferKind.FILE, "a", paths, 9, 4096, Map.of("x", "y"));
    }

    @Test
    void readsManifestsWhateverPathsTheyTouch() {
        for (List<String> paths : List.of(List.of("a"), List.of("b"), List.of("a", "b"))) {
            Manifest manifest = manifest(paths);
            FieldReader in = reader(new FieldWriter().manifest(manifest));
            assertThat(in.manifest(KEY)).isEqualTo(manifest);
        }
    }

    @ParameterizedTest
    @CsvSource({"-1, 5", "5, 5", "5, 4"})
    void refusesARangeThatCannotBe(long start, long end) {
        FieldReader in = reader(new FieldWriter().count(1).i64(start).i64(end));
        assertThatThrownBy(in::ranges)
                .isInstanceOf(MalformedFieldException.class)
                .hasMessage("a range from " + start + " to " + end);
    }

    /** Before anything is allocated. */
    @ParameterizedTest
    @ValueSource(ints = {9, 127, 128, 1 << 14, Integer.MAX_VALUE})
    void refusesACountOrALengthThatTheBodyHasNoRoomFor(int count) {
        byte[] body = new FieldWriter().count(count).i64(0).toBytes();
        assertMalformed(() -> new FieldReader(body).bytes());
        assertMalformed(() -> new FieldReader(body).strings());
        assertMalformed(() -> new FieldReader(body).pairs());
        assertMalformed(() -> new FieldReader(body).ranges());
    }

    private static void assertMalformed(ThrowingCallable reading) {
        assertThatThrownBy(reading).isInstanceOf(MalformedFieldException.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 127, 128, 16_383, 16_384, (1 << 28) - 1, 1 << 28, Integer.MAX_VALUE})
    void countsTakeAsManyBytesAsTheyNeed(int count) {
        FieldWriter out = new FieldWriter().count(count);
        int groups = Math.max(1, (38 - Integer.numberOfLeadingZeros(count)) / 7);
        assertThat(out.size()).isEqualTo(groups);
        assertThat(reader(out).count(0)).isEqualTo(count);
    }

    @Test
    void refusesACountOfMoreThan31Bits() {
        for (String hex : List.of("8080808008", "ffffffff0f", "808080808000", "ffffffffff")) {
            assertMalformed(() -> new FieldReader(HexFormat.of().parseHex(hex)).count(0));
        }
        assertMalformed(() -> new FieldReader(new byte[] {(byte) 0x80}).count(0));
        assertThat(new FieldReader(HexFormat.of().parseHex("ffffffff07")).count(0))
                .isEqualTo(Integer.MAX_VALUE);
    }

    @Test
    void limitsAreKept() {
        FieldWriter out = new FieldWriter().strings(List.of("ab", "cd"));
        assertThatThrownBy(() -> reader(out).strings(2, 1, "names")).hasMessage("2 names where 1 are allowed");
        assertThatThrownBy(() -> reader(out).strings(1, 2, "names"))
                .hasMessage("2 bytes of a text where 1 are allowed");
        assertThat(reader(out).strings(2, 2, "names")).containsExactly("ab", "cd");
        assertMalformed(
                () -> reader(new FieldWriter().bytes(new byte[] {(byte) 0xC3})).string());
    }

    /** What a later version says of a transfer is passed on as it came, whether this version understands it or not. */
    @Test
    void extensionsOfAManifestAreKept() {
        List<Extension> extensions =
                List.of(new Extension(300, false, new byte[] {1, 2, 3}), new Extension(0, true, new byte[0]));
        Manifest manifest = new Manifest(
                KEY, 1, new Topic("t"), TransferKind.FILE, "a", List.of("a"), 9, 4096, Map.of(), extensions);

        Manifest read = reader(new FieldWriter().manifest(manifest)).manifest(KEY);

        assertThat(read).isEqualTo(manifest);
        assertThat(Extension.unknown(read.extensions())).contains(extensions.get(1));
        assertThat(Extension.unknown(extensions.subList(0, 1))).isEmpty();
        assertThat(read.weightBytes() - manifest(List.of("a")).weightBytes()).isEqualTo(2 * 8 + 3 - 4 - 2);
        assertThat(extensions.get(0)).hasToString("extension 300, 3 bytes").isNotEqualTo(extensions.get(1));
    }

    /** A commit or a receipt that says more than this version understands is not taken for one that does not. */
    @Test
    void aRequiredExtensionOfACommitIsRefusedAndAnyOtherPassedOver() {
        Commit commit = Commit.of(5, new TransferDigest(4096, new byte[32]));
        byte[] plain = new FieldWriter().commit(commit).toBytes();
        FieldWriter fields = new FieldWriter()
                .raw(Arrays.copyOf(plain, plain.length - 1))
                .count(1)
                .count(7);
        byte[] optional = new FieldWriter()
                .raw(fields.toBytes())
                .flag(false)
                .bytes(new byte[4])
                .toBytes();
        byte[] required = new FieldWriter()
                .raw(fields.toBytes())
                .flag(true)
                .bytes(new byte[4])
                .toBytes();

        assertThat(new FieldReader(optional).commit()).isEqualTo(commit);
        assertThatThrownBy(() -> new FieldReader(required).commit())
                .isInstanceOf(MalformedFieldException.class)
                .hasMessageContaining("extension 7");
    }

    @Test
    void callsAValueThatCannotBeDamage() {
        FieldReader in =
                reader(new FieldWriter().string("s").u8(99).string("").i64(0).count(0));
        assertThatThrownBy(() -> in.receipt(KEY))
                .isInstanceOf(MalformedFieldException.class)
                .hasMessageStartingWith("a receipt that cannot be: ");
        assertThat(FieldReader.checked("topic", () -> new Topic("t"))).isEqualTo(new Topic("t"));
    }
}
