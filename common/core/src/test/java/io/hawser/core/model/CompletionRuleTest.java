package io.hawser.core.model;

import static io.hawser.core.model.ReceiptStatus.DEAD;
import static io.hawser.core.model.ReceiptStatus.DELIVERED;
import static io.hawser.core.model.ReceiptStatus.EXPIRED;
import static io.hawser.core.model.ReceiptStatus.FAILED;
import static io.hawser.core.model.ReceiptStatus.LANDED;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CompletionRuleTest {
    private static final List<String> THREE = List.of("s0", "s1", "s2");

    private static List<Receipt> said(ReceiptStatus... words) {
        TransferKey key = new TransferKey(new NodeId(1, 2), new TransferId(3, 4));
        List<Receipt> receipts = new ArrayList<>();
        for (ReceiptStatus word : words) {
            String reason = word == FAILED || word == EXPIRED || word == DEAD ? "the disk is gone" : "";
            receipts.add(new Receipt(key, "s" + receipts.size(), word, reason, 1));
        }
        return receipts;
    }

    @Test
    void allIsMetByTheLastOne() {
        assertThat(CompletionRule.ALL.isMet(THREE, said(DELIVERED, DELIVERED), DELIVERED))
                .isFalse();
        assertThat(CompletionRule.ALL.isMet(THREE, said(DELIVERED, DELIVERED, LANDED), DELIVERED))
                .isFalse();
        assertThat(CompletionRule.ALL.isMet(THREE, said(DELIVERED, DELIVERED, LANDED), LANDED))
                .isTrue();
        assertThat(CompletionRule.ALL.isMet(THREE, said(DELIVERED, DELIVERED, DELIVERED), DELIVERED))
                .isTrue();
    }

    @Test
    void whatNobodyHasComeForIsMetByNobodyYet() {
        assertThat(CompletionRule.ALL.isMet(List.of(), List.of(), LANDED)).isFalse();
        assertThat(CompletionRule.any(1).isMet(List.of(), List.of(), LANDED)).isFalse();
        assertThat(CompletionRule.any(2).failure(List.of(), List.of())).isEmpty();
        assertThat(CompletionRule.ALL.isMet(List.of(), said(DELIVERED), DELIVERED))
                .isTrue();
    }

    @Test
    void anyIsMetBySoMany() {
        CompletionRule two = CompletionRule.any(2);
        assertThat(two.isMet(THREE, said(DELIVERED, LANDED), DELIVERED)).isFalse();
        assertThat(two.isMet(THREE, said(DELIVERED, LANDED), LANDED)).isTrue();
        assertThat(two.isMet(THREE, said(FAILED, DELIVERED, DELIVERED), DELIVERED))
                .isTrue();
    }

    /** It is durable at the far end, and only a person there can have it delivered. */
    @Test
    void aDeadLetterHasLandedAndIsAnImpasse() {
        assertThat(CompletionRule.ALL.isMet(THREE, said(DELIVERED, DELIVERED, DEAD), LANDED))
                .isTrue();
        assertThat(CompletionRule.ALL.isMet(THREE, said(DELIVERED, DELIVERED, DEAD), DELIVERED))
                .isFalse();
        assertThat(CompletionRule.ALL.failure(THREE, said(DEAD))).isEmpty();
        assertThat(CompletionRule.ALL.impasse(THREE, said(DEAD)))
                .contains("s0: on its dead-letter list: the disk is gone");
        assertThat(CompletionRule.any(2).impasse(THREE, said(DEAD))).isEmpty();
        assertThat(CompletionRule.any(2).impasse(THREE, said(DEAD, FAILED))).isPresent();
    }

    @Test
    void allFailsByTheFirstFailure() {
        assertThat(CompletionRule.ALL.failure(THREE, said(DELIVERED, DELIVERED)))
                .isEmpty();
        assertThat(CompletionRule.ALL.failure(THREE, said(DELIVERED, EXPIRED))).contains("s1: the disk is gone");
    }

    @Test
    void anyFailsWhenTooFewAreLeft() {
        CompletionRule two = CompletionRule.any(2);
        assertThat(two.failure(THREE, said(FAILED))).isEmpty();
        assertThat(two.failure(THREE, said(FAILED, FAILED)))
                .contains(
                        "s0: the disk is gone (it goes to 3 subscriptions, of which 1 can have it, and any:2 was requested)");
    }

    @Test
    void anyOfMoreThanThereAreFailsAtOnce() {
        assertThat(CompletionRule.any(2).failure(List.of("s0"), List.of()))
                .contains("it goes to 1 subscription, of which 1 can have it, and any:2 was requested");
    }

    @Test
    void textsAreReadAndWritten() {
        assertThat(CompletionRule.parse("all")).isEqualTo(CompletionRule.ALL).hasToString("all");
        assertThat(CompletionRule.parse(" any:2 "))
                .isEqualTo(CompletionRule.any(2))
                .hasToString("any:2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "any", "any:", "any:0", "any:-1", "any:10000", "any:2x", "ALL", "2"})
    void otherTextsAreRefused(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> CompletionRule.parse(text));
    }
}
