package io.hawser.core.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class NamesAndIdsTest {
    @Test
    void idsComeBackFromTheirText() {
        NodeId node = new NodeId(0x0123456789abcdefL, -1);
        TransferKey key = new TransferKey(node, TransferId.of(1_700_000_000_123L, -1, 7));

        assertThat(node).hasToString("0123456789abcdefffffffffffffffff");
        assertThat(NodeId.parse(node.toString())).isEqualTo(node);
        assertThat(TransferId.parse(key.id().toString())).isEqualTo(key.id());
        assertThat(TransferKey.parse(key.toString())).isEqualTo(key);
    }

    @Test
    void whatIsNoIdIsRefusedWithASentence() {
        for (String text : List.of("", "12", "g".repeat(32), "1".repeat(33))) {
            assertThatThrownBy(() -> NodeId.parse(text)).hasMessageContaining("32 hex digits");
            assertThatThrownBy(() -> TransferId.parse(text)).hasMessageContaining("32 hex digits");
        }
        assertThatThrownBy(() -> TransferKey.parse("1".repeat(32))).hasMessageContaining("NODE-TRANSFER");
    }

    @Test
    void transferIdsSortByTimeOfBirth() {
        TransferId earlier = TransferId.of(1_000, -1, -1);
        TransferId later = TransferId.of(1_001, 0, 0);

        assertThat(earlier).isLessThan(later);
        assertThat(earlier.epochMillis()).isEqualTo(1_000);
        assertThat(new NodeId(-1, 0)).isGreaterThan(new NodeId(1, 0));
        assertThat(new NodeId(1, -1)).isGreaterThan(new NodeId(1, 1));
    }

    @Test
    void aTopicIsOnePathSegmentOfPlainCharacters() {
        for (String good : List.of("site-b", "A", "a.b_c", "9", "_reply." + new NodeId(1, 2), "x".repeat(128))) {
            assertThat(new Topic(good).name()).isEqualTo(good);
        }
        for (String bad : List.of("", ".", ".a", "a/b", "ü", "a b", "x".repeat(129), "a\0")) {
            assertThatThrownBy(() -> new Topic(bad)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(Topic.repliesTo(new NodeId(1, 2))).hasToString("_reply.00000000000000010000000000000002");
    }

    @Test
    void aDigestComesBackFromItsText() {
        TransferDigest digest = new TransferDigest(1 << 20, new byte[32]);

        assertThat(digest).hasToString("hts256-1048576:" + "00".repeat(32));
        assertThat(TransferDigest.parse(digest.toString())).isEqualTo(digest).hasSameHashCodeAs(digest);
        assertThat(digest).isNotEqualTo(new TransferDigest(1 << 19, new byte[32]));
        for (String bad : List.of("", "sha256:00", "hts256-16:00", "hts256-x:" + "00".repeat(32))) {
            assertThatThrownBy(() -> TransferDigest.parse(bad)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void codesOfTheWireComeBackAndStay() {
        assertThat(List.of(TransferKind.values())).allMatch(kind -> TransferKind.of(kind.code()) == kind);
        assertThat(List.of(ReceiptStatus.values())).allMatch(status -> ReceiptStatus.of(status.code()) == status);
        assertThat(List.of(StartAt.values())).allMatch(start -> StartAt.of(start.code()) == start);
        assertThat(List.of(AckLevel.values())).allMatch(level -> AckLevel.of(level.code()) == level);
        assertThat(TransferKind.FILE.code()).isEqualTo(1);
        assertThat(ReceiptStatus.EXPIRED.code()).isEqualTo(4);
        assertThat(ReceiptStatus.LANDED.isFinal()).isFalse();
        assertThat(ReceiptStatus.FAILED.isFinal()).isTrue();
        assertThatThrownBy(() -> TransferKind.of(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> ReceiptStatus.of(9)).isInstanceOf(IllegalArgumentException.class);
    }
}
