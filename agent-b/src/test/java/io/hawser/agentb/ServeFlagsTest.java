package io.hawser.agentb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.agentb.deliver.ListenOptions;
import io.hawser.core.config.Config;
import io.hawser.core.config.ConfigException;
import io.hawser.core.config.ConfigKey;
import io.hawser.core.config.SettingNames;
import io.hawser.core.ftp.PortRange;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is shown to agent-a, as flags and variables say it. */
class ServeFlagsTest {
    private static final Map<String, String> KNOWN = Map.of("HAWSER_INTO_PASSWORD", "one");

    private static Optional<ServedLocation> served(Map<String, String> flags, Map<String, String> environment) {
        List<ConfigKey<?>> keys = new ArrayList<>(DeliveryFlags.keys());
        keys.addAll(ServeFlags.keys());
        Config config =
                Config.of("agent-b", keys, flags, environment, Map.of(), new SettingNames(Map.of("agent-b", keys)));
        return ServeFlags.served(config, DeliveryFlags.destination(config, environment), environment);
    }

    private static ServedLocation.Far far(Map<String, String> flags, Map<String, String> environment) {
        return (ServedLocation.Far) served(flags, environment).orElseThrow();
    }

    @Test
    void byDefaultItIsWhereFilesAreDelivered() {
        assertThat(served(Map.of("into", "/in"), Map.of())).contains(new ServedLocation.Directory(Path.of("/in")));

        ServedLocation.Far far = far(Map.of("into", "ftps://anna@far/in", "into-insecure", "true"), KNOWN);

        assertThat(far.server()).hasToString("ftps://anna@far:21/in");
        assertThat(far.options().password().reveal()).isEqualTo("one");
        assertThat(far.options().tls().insecure()).isTrue();
        assertThat(far.options().parallelism().connections()).isEqualTo(8);
    }

    @Test
    void itMayBeSomethingElse() {
        String into = "ftp://anna@far/in";
        assertThat(served(Map.of("into", into, "serve", "off"), KNOWN)).isEmpty();
        assertThat(served(Map.of("into", into, "serve", "/out"), KNOWN))
                .contains(new ServedLocation.Directory(Path.of("/out")));
        assertThat(far(Map.of("into", "/in", "serve", "gridftp://grid/data", "serve-silence", "5s"), Map.of())
                        .options()
                        .timeouts()
                        .silence())
                .hasSeconds(5);
    }

    @Test
    void aPasswordIsToldToItsOwnServerOnly() {
        String into = "ftps://anna@far/in";
        assertThat(far(Map.of("into", into, "serve", "ftps://anna@far/out"), KNOWN)
                        .options()
                        .password()
                        .reveal())
                .isEqualTo("one");
        for (String other : new String[] {
            "ftps://anna@other/out", "ftp://anna@far/out", "ftps://bob@far/out", "ftps://anna@far:2121/out"
        }) {
            assertThatThrownBy(() -> served(Map.of("into", into, "serve", other), KNOWN))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageContaining("--serve-password-file")
                    .hasMessageContaining("HAWSER_SERVE_PASSWORD");
        }
        Map<String, String> both = Map.of("HAWSER_INTO_PASSWORD", "one", "HAWSER_SERVE_PASSWORD", "two");
        assertThat(far(Map.of("into", into, "serve", "ftps://anna@other/out"), both)
                        .options()
                        .password()
                        .reveal())
                .isEqualTo("two");
    }

    @ParameterizedTest
    @ValueSource(strings = {"into-password-file", "serve-password-file"})
    void passwordFileThatOthersCanReadIsRefused(String key, @TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("password"), "x\n");
        Map<String, String> flags =
                Map.of("into", "ftps://anna@far/in", "serve", "ftps://bob@far/out", key, file.toString());
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        assertThat(served(flags, Map.of("HAWSER_INTO_PASSWORD", "one", "HAWSER_SERVE_PASSWORD", "two")))
                .isPresent();

        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw----r--"));

        assertThatThrownBy(() -> served(flags, Map.of("HAWSER_INTO_PASSWORD", "one", "HAWSER_SERVE_PASSWORD", "two")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining(file + " can be read or written by others");
    }

    @Test
    void aPasswordInTheUrlIsRefusedAndNotShown() {
        assertThatThrownBy(() -> served(Map.of("into", "/in", "serve", "ftp://anna:secret@far/out"), Map.of()))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("--serve-password-file")
                .hasMessageNotContaining("secret")
                .hasMessageNotContaining("INTO");
    }

    @Test
    void whereAGridServerDialsToIsTheOperatorsChoice() {
        assertThat(far(Map.of("into", "gridftp://grid/in"), Map.of()).options().listening())
                .isEqualTo(ListenOptions.ANYWHERE);

        ListenOptions told = far(
                        Map.of("into", "gridftp://grid/in", "serve-ports", "50000-50999", "serve-address", "192.0.2.7"),
                        Map.of())
                .options()
                .listening();

        assertThat(told.ports()).isEqualTo(new PortRange(50_000, 50_999));
        assertThat(told.address()).contains(ListenOptions.parseAddress("192.0.2.7"));
        for (String wrong : List.of("50000", "9-1", "0-7", "1-65536")) {
            assertThatThrownBy(() -> far(Map.of("into", "gridftp://grid/in", "serve-ports", wrong), Map.of()))
                    .isInstanceOf(ConfigException.class)
                    .hasMessageStartingWith("--serve-ports: a port range is FIRST-LAST");
        }
        for (String wrong : List.of("grid.example", "0.0.0.0", "::", "224.0.0.1", "1.2.3")) {
            assertThatThrownBy(() -> far(Map.of("into", "gridftp://grid/in", "serve-address", wrong), Map.of()))
                    .isInstanceOf(ConfigException.class)
                    .hasMessage("--serve-address: '" + wrong + "' is not an IP address that a server could dial");
        }
    }
}
