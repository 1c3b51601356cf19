package io.hawser.agentb;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.TransferId;
import io.hawser.core.model.TransferKey;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.ops.observe.AdminPage;
import io.hawser.ops.observe.Json;
import io.hawser.ops.testkit.OnAdminServer;
import io.hawser.store.landing.DeadLetter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code hawser dead} against the pages that it asks. */
class DeadLetterPagesTest extends OnAdminServer {
    private static final TransferKey ONE = new TransferKey(new NodeId(1, 2), new TransferId(0x0199_0000_0000_0000L, 1));
    private static final TransferKey OTHER =
            new TransferKey(new NodeId(1, 2), new TransferId(0x0199_0000_0000_0000L, 2));

    private final List<TransferKey> dropped = new ArrayList<>();

    /** Why the landing area does not do it, by key. */
    private final Map<TransferKey, Refusal> refusals = new HashMap<>();

    private final DeadLetterPages.Letters letters = new DeadLetterPages.Letters() {
        @Override
        public List<DeadLetter> list() {
            return List.of(letter(ONE), letter(OTHER));
        }

        @Override
        public CompletableFuture<Outcome<TransferKey>> retry(TransferKey key) {
            Refusal refusal = refusals.get(key);
            return CompletableFuture.completedFuture(refusal == null ? Outcome.of(key) : Outcome.refused(refusal));
        }

        @Override
        public CompletableFuture<Outcome<TransferKey>> drop(TransferKey key) {
            dropped.add(key);
            return retry(key);
        }
    };

    @BeforeEach
    void start() throws IOException {
        DeadLetterPages pages = DeadLetterPages.of(letters);
        serve(Map.of("/dead", AdminPage.json(query -> pages.letters().list())), pages.actions());
    }

    private static DeadLetter letter(TransferKey key) {
        return new DeadLetter(key.toString(), "na\u009b31mme", 3, 1_000, "550 \u001b[2Jno", "");
    }

    private int dead(String... words) {
        return run(new DeadCommand(), "dead", words);
    }

    @Test
    void anUnknownOneIsSaidInOneSentence() {
        assertThat(dead("drop", "nosuch")).isEqualTo(4);
        assertThat(dead("retry", "nosuch")).isEqualTo(4);

        assertThat(err.toString())
                .isEqualTo("hawser: there is no dead letter 'nosuch'; 'hawser dead list' shows them\n".repeat(2));
        assertThat(dropped).isEmpty();
    }

    @Test
    void aBeginningMustBeLongEnoughAndOfOneOnly() {
        String whole = ONE.toString();
        assertThat(dead("drop", whole.substring(0, 3))).isEqualTo(4);
        assertThat(dead("drop", whole.substring(0, whole.length() - 1))).isEqualTo(4);
        assertThat(dead("drop", whole)).isZero();

        assertThat(err.toString())
                .contains("is too short: write at least 6 characters")
                .contains("is the beginning or the end of 2 dead letters; write more of it");
        assertThat(out.toString()).contains("dropped: " + whole + "  na?31mme");
        assertThat(dropped).containsExactly(ONE);
    }

    @Test
    void whatUploadersAndServersSayMovesNoCursor() {
        assertThat(dead()).isZero(); // 'list' need not be said

        assertThat(out.toString())
                .startsWith(ONE + "  na?31mme  3 B  since 1970-01-01T00:00:01Z\n    550 ?[2Jno\n")
                .hasLineCount(4);
    }

    @Test
    void whatWasDroppedCanBeJsonToo() throws IOException {
        assertThat(dead("drop", ONE.toString(), "--json")).isZero();

        byte[] json = out.toString().getBytes(StandardCharsets.UTF_8);
        assertThat(Json.read(json, DeadLetterPages.Result.class))
                .isEqualTo(new DeadLetterPages.Result(List.of(letter(ONE)), List.of(), null));
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void aNamedOneThatIsNotDoneIsAFailure() {
        refusals.put(ONE, new Refusal(ErrorCode.NOT_FOUND, "it is not there any more"));

        assertThat(dead("retry", ONE.toString())).isEqualTo(1);
        assertThat(dead("drop", ONE.toString())).isEqualTo(1);

        assertThat(err.toString().lines())
                .containsExactly(
                        "hawser: not tried again: it is not there any more",
                        "hawser: not dropped: it is not there any more");
        assertThat(out.toString()).isEmpty();
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void whatAFailedLandingAreaDoesNotRecordIsAFailure() {
        refusals.put(OTHER, new Refusal(ErrorCode.STORAGE_FAILED, "the disk failed"));

        assertThat(dead("drop", "--all")).isEqualTo(1);

        assertThat(out.toString()).contains("dropped: " + ONE).doesNotContain(OTHER.toString());
        assertThat(err.toString()).isEqualTo("hawser: not dropped: the disk failed\n");
    }

    @Test
    void oneThatIsGoneMeanwhileIsNotMissedByAll() {
        refusals.put(OTHER, new Refusal(ErrorCode.NOT_FOUND, "it is not there any more"));

        assertThat(dead("retry", "--all")).isZero();

        assertThat(out.toString()).contains("tried again: " + ONE).doesNotContain(OTHER.toString());
    }

    @Test
    void aJournalThatDoesNotAnswerIsAFailure() throws IOException {
        DeadLetterPages pages = new DeadLetterPages(
                new DeadLetterPages.Letters() {
                    @Override
                    public List<DeadLetter> list() {
                        return List.of(letter(ONE));
                    }

                    @Override
                    public CompletableFuture<Outcome<TransferKey>> retry(TransferKey key) {
                        return new CompletableFuture<>();
                    }

                    @Override
                    public CompletableFuture<Outcome<TransferKey>> drop(TransferKey key) {
                        return new CompletableFuture<>();
                    }
                },
                Duration.ZERO);

        AdminPage.Answer answer =
                Objects.requireNonNull(pages.actions().get("/dead/drop")).get(Map.of("id", ONE.toString()));

        assertThat(answer.status()).isEqualTo(202);
        assertThat(answer.body()).contains("has not recorded it after 0 s");
    }

    @Test
    void aWrongCommandLineIsExitCode2() {
        assertThat(dead("drop")).isEqualTo(2);
        assertThat(dead("drop", "--all", ONE.toString())).isEqualTo(2);
        assertThat(dead("list", ONE.toString())).isEqualTo(2);
        assertThat(dead("bury", ONE.toString())).isEqualTo(2);
        assertThat(dropped).isEmpty();
    }
}
