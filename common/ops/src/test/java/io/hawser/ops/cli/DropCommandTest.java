package io.hawser.ops.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.ops.observe.AdminPage;
import io.hawser.ops.observe.DroppedTransfer;
import io.hawser.ops.observe.Json;
import io.hawser.ops.testkit.OnAdminServer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DropCommandTest extends OnAdminServer {
    private static final String KEY = "1b4e28ba2fa111d2883f0016d3cca427-01936f5c7a3e71d2b0c4a5d6e7f80910";

    private static DroppedTransfer answer(List<String> dropped, List<String> asked, Map<String, String> kept) {
        return new DroppedTransfer(KEY, "site-b", "a\u001b.bin", dropped, asked, kept);
    }

    private int drop(int status, String body, String... more) throws IOException {
        serve(Map.of(), Map.of("/transfers/drop", query -> new AdminPage.Answer(status, "application/json", body)));
        List<String> words = new ArrayList<>(List.of(KEY));
        words.addAll(List.of(more));
        return run(new DropCommand(), "drop", words.toArray(String[]::new));
    }

    private int drop(DroppedTransfer answer, String... more) throws IOException {
        return drop(answer.complete() ? 200 : 202, Json.text(answer), more);
    }

    @Test
    void whatIsDroppedIsASuccess() throws IOException {
        assertThat(drop(answer(List.of("one", "two"), List.of(), Map.of()))).isZero();
        assertThat(drop(answer(List.of(), List.of(), Map.of()))).isZero();

        assertThat(out.toString()).isEqualTo("""
                        dropped: a?.bin on site-b, which was owed to one, two
                        dropped: a?.bin on site-b, which no subscription had come for
                        """);
        assertThat(err.toString()).isEmpty();
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void aConsumerThatWasOnlyAskedIsNoSuccess() throws IOException {
        assertThat(drop(answer(List.of(), List.of("one"), Map.of()))).isEqualTo(ExitCode.NOT_YET.code());

        assertThat(out.toString()).isEmpty();
        assertThat(err.toString())
                .isEqualTo(
                        "hawser: asked one, which may have it, to drop a?.bin; no answer yet:"
                                + " 'hawser status 1b4e28ba2fa111d2883f0016d3cca427-01936f5c7a3e71d2b0c4a5d6e7f80910' shows what becomes of it\n");
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void whatIsDroppedForSomeIsNoSuccess() throws IOException {
        DroppedTransfer some = answer(List.of("one"), List.of(), Map.of("workers", "only member w1 may deliver it"));
        assertThat(drop(some)).isEqualTo(ExitCode.REFUSED.code());

        assertThat(out.toString()).isEqualTo("dropped: a?.bin on site-b, which was owed to one\n");
        assertThat(err.toString())
                .isEqualTo("hawser: not dropped for subscription workers: only member w1 may deliver it\n");

        out.getBuffer().setLength(0);
        assertThat(drop(some, "--json")).isEqualTo(ExitCode.REFUSED.code());
        assertThat(Json.read(out.toString().getBytes(StandardCharsets.UTF_8), DroppedTransfer.class))
                .isEqualTo(some);
    }

    @Test
    void anOlderBrokerNamesOnlyWhatItDropped() throws IOException {
        String json = "{\"key\":\"k\",\"topic\":\"t\",\"name\":\"n\",\"subscriptions\":[\"one\"]}";

        assertThat(drop(200, json)).isZero();

        assertThat(out.toString()).isEqualTo("dropped: n on t, which was owed to one\n");
    }
}
