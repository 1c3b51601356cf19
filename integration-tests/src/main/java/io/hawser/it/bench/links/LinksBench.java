package io.hawser.it.bench.links;

import io.hawser.common.observe.Json;
import io.hawser.it.bench.links.Wan.Site;
import io.hawser.it.harness.SampleFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * {@code hawser bench links}: each work over its link, several times through sessions that are there and have been used. The nodes
 * are new for each link. On request other programs do the same by turns, in the same minutes.
 *
 * <p>Thread: main; {@link #end} any.
 */
public final class LinksBench {
    /** Between two runs nothing is sent for so long, as between two files of a user. */
    private static final long PAUSE_MILLIS = 2_000;

    private static final int WARM_UPS = 2;

    private final Wan wan;
    private final Path directory;
    private final int runs;
    private final boolean withPeers;
    private final PrintWriter out;
    private final List<Result> results = new ArrayList<>();
    private volatile @Nullable LinkNodes nodes;
    private volatile @Nullable LinkClient client;
    private volatile @Nullable PeerServers peerServers;

    /**
     * What one work took.
     *
     * @param by Hawser, or a peer
     * @param seconds of each run, in their order
     * @param aimSeconds Hawser's, also beside a peer
     * @param wireRatio bytes of IP packets in the payload's direction for each byte of payload, of all runs together
     */
    public record Result(
            String work,
            String link,
            String by,
            List<Double> seconds,
            double medianSeconds,
            double limitSeconds,
            double aimSeconds,
            double wireRatio) {}

    /**
     * @param wan where the emulator is
     * @param directory for the nodes' data
     * @param withPeers whether other programs do the same
     */
    public LinksBench(Path wan, Path directory, int runs, boolean withPeers, PrintWriter out) throws IOException {
        this.wan = new Wan(wan, directory);
        this.directory = directory;
        this.runs = runs;
        this.withPeers = withPeers;
        this.out = out;
    }

    /** What is missing where the emulator should be, and what to do about it. */
    public static Optional<String> emulatorProblem(Path directory) {
        return Wan.problem(directory);
    }

    /** Measures and prints; as JSON at the end if {@code json}. */
    public void run(boolean json) throws IOException, InterruptedException {
        if (!json) {
            out.printf(
                    Locale.ROOT,
                    "%-16s %-30s %-26s %9s %17s %8s %8s %7s %6s%n",
                    "work",
                    "link",
                    "by",
                    "median s",
                    "least..most s",
                    "limit s",
                    "of limit",
                    "aim s",
                    "wire");
        }
        Map<Link, List<LinkWork>> byLink = new LinkedHashMap<>();
        for (LinkWork work : LinkWork.values()) {
            byLink.computeIfAbsent(work.link, link -> new ArrayList<>()).add(work);
        }
        try (wan) {
            for (Map.Entry<Link, List<LinkWork>> entry : byLink.entrySet()) {
                wan.up(entry.getKey());
                Path place = Files.createDirectories(directory.resolve("link-" + results.size()));
                measure(entry.getValue(), place, json);
            }
        }
        if (json) {
            out.println(Json.text(Map.of("processors", Runtime.getRuntime().availableProcessors(), "links", results)));
        }
        out.flush();
    }

    private void measure(List<LinkWork> works, Path place, boolean json) throws IOException, InterruptedException {
        try (LinkNodes started = new LinkNodes(wan, place);
                LinkClient driver = new LinkClient(wan, started, place)) {
            nodes = started;
            client = driver;
            for (LinkWork work : works) {
                List<Contestant> contestants = new ArrayList<>(List.of(new Ours(work, driver)));
                try (PeerServers servers = withPeers ? new PeerServers(wan, place.resolve(work.name())) : null) {
                    peerServers = servers;
                    if (servers != null) {
                        contestants.addAll(peers(work, servers));
                    }
                    compete(work, contestants, json);
                }
            }
        }
    }

    private List<Contestant> peers(LinkWork work, PeerServers servers) throws IOException {
        Path source = servers.root().resolveSibling("source");
        if (work.kind == LinkWork.Kind.SMALL) {
            for (int i = 0; i < work.bytes / LinkWork.SMALL_BYTES; i++) {
                Path directory = Files.createDirectories(source.resolve(Integer.toString(i / 1000)));
                SampleFile.write(directory.resolve(Integer.toString(i)), LinkWork.SMALL_BYTES, i);
            }
        } else {
            SampleFile.write(source, work.bytes, 1);
        }
        return Arrays.stream(Peer.values())
                .filter(peer -> peer.does(work.kind))
                .<Contestant>map(peer -> new Theirs(work, peer, servers, source))
                .toList();
    }

    /** All by turns, so that each meets the same minutes. */
    private void compete(LinkWork work, List<Contestant> contestants, boolean json)
            throws IOException, InterruptedException {
        for (int i = 0; i < runs; i++) {
            for (Contestant contestant : contestants) {
                Thread.sleep(PAUSE_MILLIS);
                contestant.run(i);
            }
        }
        for (Contestant contestant : contestants) {
            Result result = contestant.result(work);
            results.add(result);
            if (!json) {
                print(result);
            }
        }
    }

    /** One way to do a work. */
    private abstract class Contestant {
        private final String by;
        private final Site source;
        private final List<Double> seconds = new ArrayList<>();
        private long wireBytes;

        private Contestant(String by, LinkWork work) {
            this.by = by;
            this.source = work.kind == LinkWork.Kind.DOWNLOAD ? Site.RIGHT : Site.LEFT;
        }

        /** Does it once; returns the seconds that it took. */
        abstract double once(int run) throws IOException, InterruptedException;

        private void run(int run) throws IOException, InterruptedException {
            long sentBefore = wan.sentBytes(source);
            seconds.add(once(run));
            wireBytes += wan.sentBytes(source) - sentBefore;
        }

        private Result result(LinkWork work) {
            return new Result(
                    work.title,
                    work.link.toString(),
                    by,
                    seconds,
                    median(seconds),
                    work.limitSeconds(),
                    work.aimSeconds,
                    wireBytes / ((double) work.bytes * seconds.size()));
        }
    }

    /** Through agent-a, or the Java API. */
    private final class Ours extends Contestant {
        private final LinkWork work;
        private final LinkClient driver;
        private final String name;

        private Ours(LinkWork work, LinkClient driver) throws IOException, InterruptedException {
            super("Hawser", work);
            this.work = work;
            this.driver = driver;
            this.name = work.name().toLowerCase(Locale.ROOT);
            if (work.kind == LinkWork.Kind.DOWNLOAD) {
                driver.run("upload " + name + " " + work.bytes + " 0");
            }
            for (int i = 0; i < WARM_UPS; i++) {
                driver.run(order(work, name, -1 - i));
                Thread.sleep(PAUSE_MILLIS);
            }
        }

        @Override
        double once(int run) throws IOException {
            return driver.run(order(work, name, run));
        }
    }

    /** Straight from one end of the link to the other. */
    private final class Theirs extends Contestant {
        private final LinkWork work;
        private final Peer peer;
        private final PeerServers servers;
        private final Path source;

        private Theirs(LinkWork work, Peer peer, PeerServers servers, Path source) {
            super(peer.title, work);
            this.work = work;
            this.peer = peer;
            this.servers = servers;
            this.source = source;
        }

        @Override
        double once(int run) throws IOException, InterruptedException {
            return peer.run(wan, servers, work, source, peer.name().toLowerCase(Locale.ROOT) + "-" + run);
        }
    }

    private static String order(LinkWork work, String name, int run) {
        return switch (work.kind) {
            case UPLOAD -> "upload " + name + "-" + run + " " + work.bytes + " " + run;
            case DOWNLOAD -> "download " + name + " " + work.bytes + " 0";
            case SMALL ->
                "small " + name + "-" + run + " " + work.bytes / LinkWork.SMALL_BYTES + " " + LinkWork.SMALL_BYTES;
        };
    }

    private void print(Result result) {
        out.printf(
                Locale.ROOT,
                "%-16s %-30s %-26s %9.2f %7.2f..%8.2f %8.2f %6.0f %% %7.2f %6.2f%n",
                result.work(),
                result.link(),
                result.by(),
                result.medianSeconds(),
                Collections.min(result.seconds()),
                Collections.max(result.seconds()),
                result.limitSeconds(),
                100 * result.limitSeconds() / result.medianSeconds(),
                result.aimSeconds(),
                result.wireRatio());
        out.flush();
    }

    static double median(List<Double> values) {
        double[] sorted =
                values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1
                ? sorted[middle]
                : Arrays.stream(sorted, middle - 1, middle + 1).average().orElseThrow();
    }

    /** Ends the processes and takes the link down. */
    public void end() {
        LinkClient driver = client;
        LinkNodes started = nodes;
        PeerServers servers = peerServers;
        if (servers != null) {
            servers.close();
        }
        if (driver != null) {
            driver.close();
        }
        if (started != null) {
            started.close();
        }
        try {
            wan.close();
        } catch (IOException e) {
            out.println("the link could not be taken down: " + e.getMessage());
        }
    }
}
