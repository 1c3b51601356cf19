package io.hawser.ops.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.ops.observe.AdminPage;
import io.hawser.ops.observe.TransferPage;
import io.hawser.ops.observe.TransferStatus;
import io.hawser.ops.testkit.OnAdminServer;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A key, or the end of one. */
@Invariant(InvariantName.HONEST_ANSWERS)
class TransferKeysTest extends OnAdminServer {
    private static final String NODE = "a".repeat(32);
    private static final String ONE = NODE + "-" + "0".repeat(24) + "12345678";
    private static final String OTHER = NODE + "-" + "0".repeat(23) + "1a2345678";

    private AdminClient client;

    @BeforeEach
    void start() throws IOException {
        AdminPage page = AdminPage.json(query -> new TransferPage(
                "broker",
                List.of(transfer(ONE), transfer(OTHER)).stream()
                        .filter(each -> each.key().contains(query.get("key")))
                        .toList(),
                false,
                0,
                List.of()));
        serve(Map.of("/transfers", page), Map.of());
        client = new AdminClient(server.address(), null);
    }

    private static TransferStatus transfer(String key) {
        return new TransferStatus(
                key,
                new TransferStatus.TransferredObject("t", "n", "file", 1, 1),
                "committed",
                1,
                List.of(),
                List.of());
    }

    @Test
    void theEndThatStatusShowsIsTheWholeKey() throws IOException {
        assertThat(TransferKeys.resolve(client, "12345678")).isEqualTo(ONE);
        assertThat(TransferKeys.resolve(client, "a2345678")).isEqualTo(OTHER);
    }

    @Test
    void anEndOfSeveralIsRefusedByName() {
        assertThatThrownBy(() -> TransferKeys.resolve(client, "345678"))
                .isInstanceOfSatisfying(CommandException.class, refused -> assertThat(refused.exitCode())
                        .isEqualTo(ExitCode.USAGE))
                .hasMessageContaining("2 transfers have keys that end with '345678'")
                .hasMessageContaining(ONE);
    }

    @Test
    void anEndOfNoneIsRefused() {
        assertThatThrownBy(() -> TransferKeys.resolve(client, "0000"))
                .hasMessageContaining("no transfer here has a key that ends with '0000'");
    }

    @Test
    void whatIsWholeOrNoKeyIsLeftToTheNode() throws IOException {
        String unknown = "b".repeat(32) + "-" + "c".repeat(32);
        assertThat(TransferKeys.resolve(client, unknown)).isEqualTo(unknown);
        assertThat(TransferKeys.resolve(client, "photos/cat")).isEqualTo("photos/cat");
    }
}
