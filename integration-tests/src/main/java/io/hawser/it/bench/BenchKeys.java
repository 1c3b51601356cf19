package io.hawser.it.bench;

import io.hawser.core.config.ByteSize;
import io.hawser.core.config.ConfigKey;
import io.hawser.it.bench.links.PaperRaces;
import io.hawser.it.bench.links.SweepRaces;
import io.hawser.ptcp.PtcpOptions;
import java.nio.file.Path;
import java.util.List;

/** What can be said to {@code hawser bench} besides what is to be measured. */
final class BenchKeys {
    private static final long MIB = 1 << 20;

    static final ConfigKey<ByteSize> SIZE =
            ConfigKey.size("size", "1GiB", new ByteSize(MIB), new ByteSize(1L << 40), "the size of each large file");
    static final ConfigKey<Integer> RUNS = ConfigKey.integer("runs", 3, 1, 100, "warm runs, pairs, or kills");
    static final ConfigKey<Path> DIRECTORY =
            ConfigKey.path("dir", "DIR", null, "where the data goes (default: a new temporary directory)");
    static final ConfigKey<Boolean> JSON = ConfigKey.toggle(
            "json", "print one JSON document when all is measured, and what is said meanwhile to standard error");

    static final ConfigKey<Integer> FILES =
            ConfigKey.integer("files", 10_000, 1, 1_000_000, "with 'small': how many files in each run");
    static final ConfigKey<ByteSize> FILE_SIZE = ConfigKey.size(
            "file-size", "4KiB", new ByteSize(0), new ByteSize(16 * MIB), "with 'small': the size of each file");

    static final ConfigKey<Integer> UPLOADS =
            ConfigKey.integer("uploads", 1_000, 2, 10_000, "with 'crowd': how many uploads run at once");

    static final ConfigKey<ByteSize> LIVE = ConfigKey.size(
            "live", "10GiB", new ByteSize(MIB), new ByteSize(1L << 40), "with 'recovery': what the broker holds");
    static final ConfigKey<Integer> FRAGMENTS = ConfigKey.integer(
            "fragments",
            1_000_000,
            1,
            100_000_000,
            "with 'recovery': fragments of 4 KiB that it holds besides, when its index is lost");
    static final ConfigKey<Integer> TRANSFERS = ConfigKey.integer(
            "transfers", 100_000, 0, 100_000_000, "with 'recovery': small transfers that it holds besides");

    static final ConfigKey<Path> WAN = ConfigKey.path(
            "wan",
            "DIR",
            null,
            "with 'links', 'sweep', 'papers', 'ptcp' and 'tls': where the emulator's programs are, wan and wanlink");
    static final ConfigKey<Boolean> PEERS = ConfigKey.toggle(
            "peers",
            "with 'links' and 'sweep': let other programs do the same by turns (globus-url-copy, curl, aria2c and rsync with their"
                    + " servers)");
    static final ConfigKey<List<Integer>> ENDS = new ConfigKey<>(
            "ends",
            "N,N",
            "1,4,16",
            "",
            "with 'fanout': how many far ends, one number after the other",
            FanoutBench::numbers);
    static final ConfigKey<Integer> STREAMS = ConfigKey.integer(
            "streams", 4, 1, PtcpOptions.MAX_STREAMS, "with 'ptcp': data channels, and as many plain connections");

    static final ConfigKey<SweepRaces.Over> OVER =
            ConfigKey.choice("over", SweepRaces.Over.RTT, "with 'sweep': what differs from link to link");
    static final ConfigKey<String> POINTS =
            ConfigKey.text("points", "X,X", null, "with 'sweep': ms, streams, % or sizes, instead of the usual ones");
    static final ConfigKey<Boolean> DOWN = ConfigKey.toggle("down", "with 'sweep': downloads instead of uploads");
    static final ConfigKey<PaperRaces.Part> ONLY =
            ConfigKey.choice("only", PaperRaces.Part.ALL, "with 'papers': one of the tables");
    static final ConfigKey<Path> FROM = ConfigKey.path(
            "from", "DIR", null, "with 'plots': where the JSON documents of sweeps are, and the SVG files go");

    private BenchKeys() {}

    static List<? extends ConfigKey<?>> all() {
        return List.of(
                SIZE, FILES, FILE_SIZE, UPLOADS, LIVE, FRAGMENTS, TRANSFERS, WAN, PEERS, OVER, POINTS, DOWN, ONLY, FROM,
                ENDS, STREAMS, JSON, RUNS, DIRECTORY);
    }
}
