package io.hawser.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigTest {
    private enum Level {
        SPOOLED,
        FAR_AWAY
    }

    private static final ConfigKey<Integer> STREAMS = ConfigKey.integer("streams", 4, 1, 64, "data channels");
    private static final ConfigKey<HostPort> LISTEN = ConfigKey.hostPort("listen", "127.0.0.1:7400", "where");
    private static final ConfigKey<Optional<HostPort>> ADMIN =
            ConfigKey.hostPortOrOff("admin", "127.0.0.1:7480", "admin pages");
    private static final ConfigKey<Duration> KEEP_FOR = ConfigKey.duration("keep-for", null, "how long");
    private static final ConfigKey<Boolean> INSECURE = ConfigKey.toggle("insecure", "no TLS");
    private static final ConfigKey<Level> WAIT = ConfigKey.choice("wait", Level.SPOOLED, "for what");
    private static final ConfigKey<ByteSize> QUOTA =
            ConfigKey.size("quota", "1GiB", new ByteSize(1024), new ByteSize(1L << 40), "at most");
    private static final List<ConfigKey<?>> KEYS = List.of(STREAMS, LISTEN, ADMIN, KEEP_FOR, INSECURE, WAIT, QUOTA);

    private static final SettingNames KNOWN =
            new SettingNames(Map.of("broker", KEYS, "agent-b", List.of(ConfigKey.path("into", "DIR", null, "where"))));

    private static Config config(Map<String, String> flags, Map<String, String> environment, Map<String, String> file) {
        return Config.of("broker", KEYS, flags, environment, file, KNOWN);
    }

    @Test
    void defaultsNeedNothing() {
        Config config = config(Map.of(), Map.of(), Map.of());
        assertThat(config.get(STREAMS)).isEqualTo(4);
        assertThat(config.get(ADMIN)).contains(new HostPort("127.0.0.1", 7480));
        assertThat(config.find(KEEP_FOR)).isEmpty();
        assertThat(config.get(INSECURE)).isFalse();
        assertThat(config.get(WAIT)).isEqualTo(Level.SPOOLED);
        assertThat(config.get(QUOTA).bytes()).isEqualTo(1L << 30);
    }

    @Test
    void flagWinsOverEnvironmentOverFileOverDefault() {
        Map<String, String> flag = Map.of("streams", "1");
        Map<String, String> environment = Map.of("HAWSER_STREAMS", "2");
        Map<String, String> file = Map.of("streams", "3");
        assertThat(config(flag, environment, file).get(STREAMS)).isEqualTo(1);
        assertThat(config(Map.of(), environment, file).get(STREAMS)).isEqualTo(2);
        assertThat(config(Map.of(), Map.of(), file).get(STREAMS)).isEqualTo(3);
    }

    @Test
    void oneFileServesSeveralCommands() {
        Map<String, String> file = Map.of("admin", "off", "broker.streams", "9", "agent-b.into", "/data");
        assertThat(config(Map.of(), Map.of(), file).get(STREAMS)).isEqualTo(9);
        assertThat(config(Map.of(), Map.of(), file).get(ADMIN)).isEmpty();
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void aLineOfNoCommandOrOfNoKeyIsAnError() {
        assertThatThrownBy(() -> config(
                        Map.of(), Map.of(), Map.of("foo.bar", "1", "agent-b.inot", "/data", "brokr.streams", "9")))
                .isInstanceOfSatisfying(ConfigException.class, e -> assertThat(e.problems())
                        .containsExactly(
                                "the file has the key 'agent-b.inot', which 'hawser agent-b' does not know (into?)",
                                "the file has the key 'brokr.streams', but there is no command 'brokr' (broker?)",
                                "the file has the key 'foo.bar', but there is no command 'foo'"));
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void aVariableThatNoCommandKnowsIsAnError() {
        assertThat(KNOWN.problemsOf(Map.of("HAWSER_STREMS", "2", "HAWSER_LIMIT", "abc", "HAWSER_FTP_PORT", "21")))
                .containsExactly(
                        "HAWSER_FTP_PORT (environment): no command has such a setting; correct it, or remove it from the environment",
                        "HAWSER_LIMIT (environment): no command has such a setting; correct it, or remove it from the environment",
                        "HAWSER_STREMS (environment): no command has such a setting (HAWSER_STREAMS?); correct it, or remove it from the environment");
        assertThat(KNOWN.problemsOf(Map.of("HAWSER_LOG", "verbose", "HAWSER_DEBUG", "yes")))
                .containsExactly(
                        "HAWSER_LOG (environment): 'verbose' is not one of trace, debug, info, warn, error, off",
                        "HAWSER_DEBUG (environment): 'yes' is not 1 or 0");
    }

    @Test
    void whatTheLauncherAndContainersSetIsNoError() {
        assertThat(KNOWN.problemsOf(Map.of(
                        "HAWSER_JAVA_OPTS", "-Xmx64m",
                        "HAWSER_INTO", "/data",
                        "HAWSER_LOG", "DEBUG",
                        "HAWSER_BROKER_SERVICE_HOST", "10.0.0.1",
                        "HAWSER_BROKER_PORT", "tcp://10.0.0.1:7400",
                        "HAWSER_PORT_7400_TCP_ADDR", "10.0.0.1",
                        "PATH", "/bin")))
                .isEmpty();
    }

    @Test
    void allProblemsAreReportedAtOnceWithTheirPlace() {
        assertThatThrownBy(() -> config(
                        Map.of("streams", "65", "wait", "never"),
                        Map.of("HAWSER_LISTEN", "7400", "HAWSER_INSECURE", "yes"),
                        Map.of("keep-for", "5 years", "stream", "3", "quota", "1")))
                .isInstanceOfSatisfying(ConfigException.class, e -> assertThat(e.problems())
                        .hasSize(7)
                        .anyMatch(p -> p.startsWith("--streams: '65'"))
                        .anyMatch(p -> p.startsWith("--wait: 'never' is not one of spooled, far-away"))
                        .anyMatch(p -> p.startsWith("HAWSER_LISTEN (environment): '7400'"))
                        .anyMatch(p -> p.startsWith("HAWSER_INSECURE (environment): 'yes'"))
                        .anyMatch(p -> p.startsWith("keep-for (configuration file): '5 years'"))
                        .anyMatch(p -> p.startsWith("quota (configuration file): '1' is not from 1 KiB to 1 TiB"))
                        .anyMatch(p -> p.contains("'stream'")));
    }

    @Test
    void aKeyWithoutDefaultThatIsNeededSaysWhichFlag() {
        Config config = config(Map.of(), Map.of(), Map.of());
        assertThatThrownBy(() -> config.get(KEEP_FOR)).hasMessage("--keep-for TIME is needed: how long");
    }

    @Test
    void aFileIsReadAsUtf8AndAMissingOneIsNamed(@TempDir Path directory) throws IOException {
        Path file =
                Files.writeString(directory.resolve("hawser.properties"), "# ä\nlisten = 127.0.0.1:1\nname=größe\n");
        assertThat(Config.readFile(file)).containsEntry("listen", "127.0.0.1:1").containsEntry("name", "größe");
        assertThatThrownBy(() -> Config.readFile(directory.resolve("none")))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("none: there is no such file");
    }

    @Test
    void aTimeThatNoClockCanCountIsRefused() {
        assertThat(KEEP_FOR.parser().apply("36500d")).isEqualTo(Duration.ofDays(36_500));
        assertThatThrownBy(() -> KEEP_FOR.parser().apply("999999999d"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("'999999999d' is too long; the longest is 36500d");
    }
}
