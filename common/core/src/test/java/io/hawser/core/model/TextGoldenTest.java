package io.hawser.core.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.hop.HopMessage;
import io.hawser.core.testkit.Golden;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Pins what is written as text into manifests, receipts and files of other formats, and so has no version of its own. */
class TextGoldenTest {
    private static final TransferKey KEY = new TransferKey(new NodeId(1, 2), new TransferId(3, 4));
    private static final TransferDigest DIGEST = new TransferDigest(1 << 20, new byte[32]);
    private static final PatchRanges PLACES =
            new PatchRanges(List.of(new FragmentRange(0, 10), new FragmentRange(20, 4_294_967_296L)), 5_000_000_000L);
    private static final GridCredential CREDENTIAL =
            GridCredential.sealed("/O=Grid/CN=Anna", 1_800_000_000_000L, new byte[] {1, 2, 3});

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static Map<String, byte[]> written() {
        Map<String, byte[]> all = new LinkedHashMap<>();
        all.put("KEY", bytes(KEY.toString()));
        all.put("DIGEST", bytes(DIGEST.toString()));
        all.put("PLACES", bytes(PLACES.text()));
        all.put("PLACE", bytes(PatchRanges.from(7).text()));
        all.put("RULE", bytes(CompletionRule.any(3).toString()));
        all.put("REPLIES", bytes(Topic.repliesTo(KEY.publisher()).name()));
        CREDENTIAL.attributes().forEach((name, value) -> all.put(name, bytes(value)));
        return all;
    }

    /** What a broker says to a member of a group whose transfer another gets, and what a member's receipt says. */
    @Test
    void textsOfGroupsAreWrittenAsTheyWereFirst() throws Exception {
        Map<String, byte[]> all = new LinkedHashMap<>();
        all.put("HANDED_OVER", bytes(HopMessage.Cancel.HANDED_OVER));
        Receipt receipt = new Receipt(KEY, "group", ReceiptStatus.DELIVERED, "", 1).byMember("w1");
        all.put("MEMBER", bytes(receipt.reason()));
        Receipt failed = new Receipt(KEY, "group", ReceiptStatus.FAILED, "why", 1).byMember("w1");
        all.put("MEMBER_FAILED", bytes(failed.reason()));
        Golden.assertWritten(TextGoldenTest.class, "v1/texts-of-groups.txt", all);
        assertThat(receipt.problem()).isEmpty();
        assertThat(failed.problem()).isEqualTo("member w1: why");
    }

    @Test
    void textsAreWrittenAndReadAsVersionOneHasThem() throws Exception {
        Golden.assertWritten(TextGoldenTest.class, "v1/texts.txt", written());
        Map<String, byte[]> golden = Golden.read(TextGoldenTest.class, "v1/texts.txt");
        assertThat(TransferKey.parse(text(golden, "KEY"))).isEqualTo(KEY);
        assertThat(TransferDigest.parse(text(golden, "DIGEST"))).isEqualTo(DIGEST);
        assertThat(PatchRanges.parse(text(golden, "PLACES"))).contains(PLACES);
        assertThat(PatchRanges.parse(text(golden, "PLACE"))).contains(PatchRanges.from(7));
        assertThat(CompletionRule.parse(text(golden, "RULE"))).isEqualTo(CompletionRule.any(3));
    }

    private static String text(Map<String, byte[]> golden, String name) {
        return new String(golden.get(name), StandardCharsets.UTF_8);
    }
}
