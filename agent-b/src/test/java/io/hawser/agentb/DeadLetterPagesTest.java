package io.hawser.agentb;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.common.cli.Hawser;
import io.hawser.common.config.HostPort;
import io.hawser.common.landing.DeadLetter;
import io.hawser.common.model.NodeId;
import io.hawser.common.model.TransferId;
import io.hawser.common.model.TransferKey;
import io.hawser.common.observe.AdminServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code hawser dead} against the pages that it asks. */
class DeadLetterPagesTest {
    private static final TransferKey ONE = new TransferKey(new NodeId(1, 2), new TransferId(0x0199_0000_0000_0000L, 1));
    private static final TransferKey OTHER =
            new TransferKey(new NodeId(1, 2), new TransferId(0x0199_0000_0000_0000L, 2));

    private final List<TransferKey> dropped = new ArrayList<>();
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @SuppressWarnings("NullAway.Init") // see start
    private AdminServer server;

    @BeforeEach
    void start() throws IOException {
        DeadLetterPages pages = new DeadLetterPages(new DeadLetterPages.Letters() {
            @Override
            public List<DeadLetter> list() {
                return List.of(letter(ONE), letter(OTHER));
            }

            @Override
            public boolean retry(TransferKey key) {
                return true;
            }

            @Override
            public boolean drop(TransferKey key) {
                return dropped.add(key);
            }
        });
        server = AdminServer.start(new HostPort("127.0.0.1", 0), Map.of(), pages.actions(), null);
    }

    private static DeadLetter letter(TransferKey key) {
        return new DeadLetter(key.toString(), "name", 3, 1_000, "no", "");
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private int dead(String... words) {
        List<String> all = new ArrayList<>(List.of("dead"));
        all.addAll(List.of(words));
        all.addAll(List.of("--admin", server.address().toString()));
        return Hawser.run(
                List.of(new DeadCommand()),
                Map.of(),
                new PrintWriter(out),
                new PrintWriter(err, true),
                all.toArray(String[]::new));
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
                .contains("is the beginning of 2 dead letters; write more of it");
        assertThat(out.toString()).contains("dropped: " + whole + "  name");
        assertThat(dropped).containsExactly(ONE);
    }
}
