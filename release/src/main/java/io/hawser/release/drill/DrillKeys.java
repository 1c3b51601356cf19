package io.hawser.release.drill;

import io.hawser.core.config.ByteSize;
import io.hawser.core.config.Config;
import io.hawser.core.config.ConfigException;
import io.hawser.core.config.ConfigKey;
import io.hawser.core.config.HostPort;
import io.hawser.ops.cli.CommonNodeFlags;
import io.hawser.release.process.ProcessChain.Part;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * The keys of {@code hawser drill} that say what is done.
 *
 * <p>Thread: any.
 */
final class DrillKeys {
    private static final int DEFAULT_TIMES = 10;
    private static final int MAX_SEED = 999_999_999;

    static final ConfigKey<String> KILL = ConfigKey.text(
            "kill",
            "NODES",
            null,
            "whom to kill with kill -9 in turn: agent-a, broker, agent-b (joined by commas), all or none"
                    + " (default: all of the chain that the drill starts, none of one that runs)");
    static final ConfigKey<String> PAUSE =
            ConfigKey.text("pause", "NODES", "none", "whom to stop with SIGSTOP and let go on, in turn with the kills");
    static final ConfigKey<Integer> TIMES = ConfigKey.integer(
            "times", 0, 0, 1_000_000, "faults in all; 0: as many as fit into --minutes, or else " + DEFAULT_TIMES);
    static final ConfigKey<Integer> MINUTES =
            ConfigKey.integer("minutes", 0, 0, 100_000, "go on for so long; 0: until --times or --canaries are done");
    static final ConfigKey<Duration> EVERY =
            ConfigKey.duration("every", "3s", "from one fault to the next, or longer, until the node is of use again");
    static final ConfigKey<Duration> DOWN =
            ConfigKey.duration("down", "500ms", "how long a node stays dead or stopped");
    static final ConfigKey<Integer> SEED = ConfigKey.integer(
            "seed", 0, 0, MAX_SEED, "decides the order of the faults, and the canaries; 0: another one each time");
    static final ConfigKey<ByteSize> SIZE = ConfigKey.size(
            "size",
            "4MiB",
            new ByteSize(0),
            new ByteSize(1L << 34),
            "the largest canary; the first one is of that size");
    static final ConfigKey<Integer> CANARIES = ConfigKey.integer(
            "canaries", 5, 1, 1_000_000, "without faults and --minutes: how many by FTP, and how many by the API");
    static final ConfigKey<Duration> GAP =
            ConfigKey.duration("gap", "100ms", "between two canaries of the same sender");
    static final ConfigKey<Duration> WAIT = ConfigKey.duration(
            "wait",
            "60s",
            "how long a canary may take to arrive when all faults are over, and a running deployment's node to be back");
    static final ConfigKey<Path> DIRECTORY = ConfigKey.path(
            "dir", "DIR", null, "where the chain that it starts keeps its data (default: a new temporary directory)");
    static final ConfigKey<Boolean> KEEP = ConfigKey.toggle(
            "keep", "let canaries and data stay; those of a chain of its own stay also after a failure");
    static final ConfigKey<String> JSON = ConfigKey.text(
            "json", "FILE|-", null, "write the report as JSON, '-' for standard output without any text");
    static final ConfigKey<HostPort> FTP =
            ConfigKey.hostPort("ftp", null, "the FTP address of a running agent-a to send canaries through");
    static final ConfigKey<String> USER = ConfigKey.text("user", "NAME", "anonymous", "the FTP account");
    static final ConfigKey<Path> PASSWORD_FILE = ConfigKey.path(
            "password-file",
            "FILE",
            null,
            "a file with the account's password in its first line; or set " + FtpFlags.PASSWORD_VARIABLE);
    static final ConfigKey<String> FTP_TLS = ConfigKey.text(
            "ftp-tls",
            "FILE|system",
            null,
            "AUTH TLS, trusting the certificates in that PEM file, or those that Java trusts");
    static final ConfigKey<String> FTP_DIR = ConfigKey.text(
            "ftp-dir",
            "PATH",
            "/",
            "the directory for canaries, as the account sees it; with --broker the topic's root");
    static final ConfigKey<HostPort> BROKER = ConfigKey.hostPort(
            "broker", null, "the address of a running broker, to send canaries as a Java program does");
    static final ConfigKey<String> TOPIC = ConfigKey.text("topic", "TOPIC", "site-b", "with --broker: the topic");
    static final ConfigKey<Path> INTO_DIR = ConfigKey.path(
            "into-dir",
            "DIR",
            null,
            "the directory that agent-b delivers into, if it is on this machine; otherwise canaries are read back by FTP");

    private DrillKeys() {}

    static List<ConfigKey<?>> all() {
        return List.of(
                KILL,
                PAUSE,
                TIMES,
                MINUTES,
                EVERY,
                DOWN,
                SEED,
                SIZE,
                CANARIES,
                GAP,
                WAIT,
                DIRECTORY,
                KEEP,
                JSON,
                FTP,
                USER,
                PASSWORD_FILE,
                FTP_TLS,
                FTP_DIR,
                BROKER,
                TOPIC,
                INTO_DIR,
                CommonNodeFlags.TLS);
    }

    /** Whether it is about a deployment that runs. */
    static boolean isPointed(Config config) {
        return config.find(FTP).isPresent() || config.find(BROKER).isPresent();
    }

    static DrillSettings settings(Config config) {
        Set<Part> kills = config.find(KILL)
                .map(text -> NodeFlags.nodes(KILL.flag(), text))
                .orElseGet(() -> isPointed(config) || !config.get(PAUSE).equals("none")
                        ? EnumSet.noneOf(Part.class)
                        : EnumSet.allOf(Part.class));
        Set<Part> pauses = NodeFlags.nodes(PAUSE.flag(), config.get(PAUSE));
        boolean faults = !kills.isEmpty() || !pauses.isEmpty();
        int times = config.get(TIMES);
        int minutes = config.get(MINUTES);
        if (times > 0 && !faults) {
            throw new ConfigException(
                    TIMES.flag() + " counts faults, and none were chosen: give --kill or --pause, or --canaries N");
        }
        int seed = config.get(SEED);
        return new DrillSettings(
                new FaultSettings(
                        kills,
                        pauses,
                        faults && times == 0 && minutes == 0 ? DEFAULT_TIMES : times,
                        config.get(EVERY),
                        config.get(DOWN)),
                new CanarySettings(config.get(CANARIES), config.get(SIZE).bytes(), config.get(GAP)),
                minutes == 0 ? Optional.empty() : Optional.of(Duration.ofMinutes(minutes)),
                seed == 0 ? ThreadLocalRandom.current().nextInt(1, MAX_SEED) : seed,
                config.get(WAIT),
                config.get(KEEP));
    }
}
