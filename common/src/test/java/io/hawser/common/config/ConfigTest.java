package io.hawser.common.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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

    private static Config config(Map<String, String> flags, Map<String, String> environment, Map<String, String> file) {
        return Config.of("broker", KEYS, flags, environment, file);
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
