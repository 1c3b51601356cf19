package io.hawser.it.bench.links;

import io.hawser.core.tls.KeyDirectory;
import io.hawser.it.bench.links.Race.Kind;
import io.hawser.it.bench.links.Wan.Site;
import io.hawser.it.bench.report.BenchReport;
import io.hawser.it.bench.report.Measurement;
import io.hawser.ops.keys.KeyMaker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * Uploads over a link of 1 Gbit/s by nodes with mutual TLS and by nodes without, by turns.
 *
 * <p>Thread: main; {@link #end} any.
 */
public final class SecureLinkBench {
    private static final Link LINK = Link.of(1000, 10);
    private static final int WARM_UPS = 2;
    private static final long PAUSE_MILLIS = 1_000;

    private final Wan wan;
    private final Path directory;
    private final long bytes;
    private final int runs;
    private final List<LinkNodes> started = new CopyOnWriteArrayList<>();

    public SecureLinkBench(Path emulator, Path directory, long bytes, int runs) throws IOException {
        this.directory = Files.createDirectories(directory);
        this.wan = new Wan(emulator, directory);
        this.bytes = bytes;
        this.runs = runs;
    }

    /** Returns whether all bytes arrived. */
    public boolean run(BenchReport report) throws IOException, InterruptedException {
        KeyDirectory keys = new KeyDirectory(directory.resolve("keys"));
        new KeyMaker(Set.of(Site.LEFT.address(), Site.RIGHT.address(), "127.0.0.1"), Duration.ofDays(2), Instant.now())
                .fill(keys);
        try (wan) {
            wan.up(LINK);
            Contestant without = contestant("plain", null);
            Contestant with = contestant("mutual TLS", keys.path());
            for (int i = 0; i < runs; i++) {
                for (int turn = 0; turn < 2; turn++) {
                    Thread.sleep(PAUSE_MILLIS);
                    (Math.floorMod(turn + i, 2) == 0 ? without : with).run(i);
                }
            }
            report.add(without.figure());
            report.add(with.figure());
        } finally {
            started.forEach(LinkNodes::close);
        }
        return true;
    }

    private Contestant contestant(String between, @Nullable Path keys) throws IOException, InterruptedException {
        Path place = Files.createDirectories(directory.resolve(between.replace(' ', '-')));
        LinkNodes nodes = new LinkNodes(wan, place, "", keys);
        started.add(nodes);
        Race race = new Race(
                Measurement.labels("link", LINK.toString(), "between the nodes", between),
                LINK,
                Kind.UPLOAD,
                bytes,
                "",
                true,
                List.of(),
                OptionalDouble.empty());
        return new HawserContestant(race, wan, nodes.client(), "f").warmUp(WARM_UPS, PAUSE_MILLIS);
    }

    /** Ends the processes and takes the link down. */
    public void end() {
        started.forEach(LinkNodes::close);
        wan.end();
    }
}
