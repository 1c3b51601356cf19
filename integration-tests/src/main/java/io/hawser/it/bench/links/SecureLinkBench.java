package io.hawser.it.bench.links;

import io.hawser.core.tls.KeyDirectory;
import io.hawser.it.bench.links.LinkWork.Kind;
import io.hawser.it.bench.links.Wan.Site;
import io.hawser.it.bench.report.BenchReport;
import io.hawser.ops.keys.KeyMaker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
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
    private final Side plain = new Side("plain");
    private final Side secure = new Side("mutual TLS");

    /** One of the two, and what runs for it. */
    private static final class Side {
        private final String title;
        private volatile @Nullable LinkNodes nodes;
        private volatile @Nullable LinkClient client;

        Side(String title) {
            this.title = title;
        }

        void end() {
            LinkClient driver = client;
            LinkNodes started = nodes;
            if (driver != null) {
                driver.close();
            }
            if (started != null) {
                started.close();
            }
        }
    }

    /** One that has not begun. */
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
            Contestant without = contestant(plain, null);
            Contestant with = contestant(secure, keys.path());
            for (int i = 0; i < runs; i++) {
                for (int turn = 0; turn < 2; turn++) {
                    Thread.sleep(PAUSE_MILLIS);
                    (Math.floorMod(turn + i, 2) == 0 ? without : with).run(i);
                }
            }
            report.add(without.figure());
            report.add(with.figure());
        } finally {
            plain.end();
            secure.end();
        }
        return true;
    }

    private Contestant contestant(Side side, @Nullable Path keys) throws IOException, InterruptedException {
        Path place = Files.createDirectories(directory.resolve(side.title.replace(' ', '-')));
        LinkNodes nodes = new LinkNodes(wan, place, "", keys);
        side.nodes = nodes;
        LinkClient client = new LinkClient(wan, nodes, place);
        side.client = client;
        Map<String, String> of = new LinkedHashMap<>();
        of.put("link", LINK.toString());
        of.put("between the nodes", side.title);
        Race race = new Race(of, new LinkWork(LINK, Kind.UPLOAD, bytes), "", true, List.of(), OptionalDouble.empty());
        return new Ours(race, wan, client, "f").warmUp(WARM_UPS, PAUSE_MILLIS);
    }

    /** Ends the processes and takes the link down. */
    public void end() {
        plain.end();
        secure.end();
        try {
            wan.close();
        } catch (IOException e) {
            System.err.println("the link could not be taken down: " + e.getMessage());
        }
    }
}
