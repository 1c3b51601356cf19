package io.hawser.it.bench.links;

import io.hawser.it.bench.report.Bench;
import io.hawser.it.bench.report.BenchReport;
import io.hawser.ops.cli.Errors;
import io.hawser.release.process.SampleFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Races over emulated links, one behind the other: each work several times by turns, through sessions that are there and have been
 * used. The nodes are new for each link, and for each number of streams.
 */
public final class LinksBench implements Bench {
    /** Between two runs nothing is sent for so long, as between two files of a user. */
    private static final long PAUSE_MILLIS = 2_000;

    private final Wan wan;
    private final Path directory;
    private final List<Race> races;
    private final int warmUps;
    private final int runs;
    private volatile @Nullable LinkNodes nodes;
    private volatile @Nullable PeerServers peerServers;
    private int places;

    /**
     * @param emulator where the emulator is
     * @param directory for the nodes' data
     * @param warmUps how often Hawser does a work before it counts
     * @param runs how often each does each work
     */
    LinksBench(Path emulator, Path directory, List<Race> races, int warmUps, int runs) throws IOException {
        this.wan = new Wan(emulator, directory);
        this.directory = directory;
        this.races = races;
        this.warmUps = warmUps;
        this.runs = runs;
    }

    /** {@code hawser bench links}. */
    public static LinksBench table(Path emulator, Path directory, int runs, boolean withPeers) throws IOException {
        return new LinksBench(emulator, directory, LinkRaces.races(withPeers), 2, runs);
    }

    /** {@code hawser bench papers}. */
    public static LinksBench papers(Path emulator, Path directory, int runs, PaperRaces.Part part) throws IOException {
        return new LinksBench(emulator, directory, PaperRaces.races(part), 1, runs);
    }

    /** {@code hawser bench sweep}; {@code points} as a user writes them. */
    public static LinksBench sweep(
            Path emulator,
            Path directory,
            int runs,
            SweepRaces.Over over,
            String points,
            boolean down,
            boolean withPeers)
            throws IOException {
        return new LinksBench(emulator, directory, SweepRaces.races(over, points, down, withPeers), 2, runs);
    }

    @Override
    public boolean run(BenchReport report) throws IOException, InterruptedException {
        boolean good = true;
        try (wan) {
            Link up = null;
            for (int first = 0, end; first < races.size(); first = end) {
                end = first + 1;
                while (end < races.size() && races.get(first).sharesNodes(races.get(end))) {
                    end++;
                }
                Link link = races.get(first).link();
                if (!link.equals(up)) {
                    wan.up(link);
                    up = link;
                }
                good &= together(races.subList(first, end), report);
            }
        }
        return good;
    }

    /** Races that share their nodes. */
    private boolean together(List<Race> some, BenchReport report) throws IOException, InterruptedException {
        Path place = Files.createDirectories(directory.resolve("link-" + places++));
        Race first = some.get(0);
        boolean good = true;
        try (LinkNodes started = first.ours() ? new LinkNodes(wan, place, first.streams(), null) : null) {
            nodes = started;
            for (int i = 0; i < some.size(); i++) {
                good &= race(some.get(i), Files.createDirectories(place.resolve("race-" + i)), started, report);
            }
        }
        return good;
    }

    private boolean race(Race race, Path place, @Nullable LinkNodes own, BenchReport report)
            throws IOException, InterruptedException {
        List<PeerProgram> peers = installed(race, report);
        Set<PeerServers.Server> needed = peers.stream().map(PeerProgram::server).collect(Collectors.toSet());
        try (PeerServers servers = peers.isEmpty() ? null : new PeerServers(wan, place, needed)) {
            peerServers = servers;
            List<Contestant> contestants = new ArrayList<>();
            if (own != null) {
                contestants.add(new HawserContestant(race, wan, own.client(), String.valueOf(place.getFileName()))
                        .warmUp(warmUps, PAUSE_MILLIS));
            }
            if (servers != null) {
                Path source = source(race, place);
                peers.forEach(peer -> contestants.add(new PeerContestant(race, wan, peer, servers, source)));
            }
            return compete(contestants, report);
        }
    }

    /** Those who can take part; of the others it is said what they lack. */
    private static List<PeerProgram> installed(Race race, BenchReport report) {
        List<PeerProgram> installed = new ArrayList<>();
        for (PeerProgram peer : race.peers()) {
            List<String> missing = Programs.missing(peer.programs());
            if (missing.isEmpty()) {
                installed.add(peer);
            } else {
                report.note(
                        "%s, %s: left out, not on the PATH: %s", race.of(), peer.title(), String.join(", ", missing));
            }
        }
        return installed;
    }

    /** What the peers send. */
    private static Path source(Race race, Path place) throws IOException {
        Path source = place.resolve("source");
        if (race.kind() == Race.Kind.SMALL) {
            for (int i = 0; i < race.bytes() / Race.SMALL_BYTES; i++) {
                Path directory = Files.createDirectories(source.resolve(Integer.toString(i / 1000)));
                SampleFile.write(directory.resolve(Integer.toString(i)), Race.SMALL_BYTES, i);
            }
        } else {
            SampleFile.write(source, race.bytes(), 1);
        }
        return source;
    }

    /** All by turns, so that each meets the same minutes. Who fails is out. */
    private boolean compete(List<Contestant> contestants, BenchReport report) throws InterruptedException {
        List<Contestant> left = new ArrayList<>(contestants);
        for (int i = 0; i < runs; i++) {
            for (Contestant contestant : List.copyOf(left)) {
                Thread.sleep(PAUSE_MILLIS);
                try {
                    contestant.run(i);
                } catch (IOException e) {
                    report.note("%s, %s: %s", contestant.race().of(), contestant.by(), Errors.sentence(e));
                    left.remove(contestant);
                }
            }
        }
        contestants.stream().filter(Contestant::hasRun).forEach(contestant -> report.add(contestant.figure()));
        return left.size() == contestants.size();
    }

    /** Ends the processes and takes the link down. */
    @Override
    public void end() {
        LinkNodes started = nodes;
        PeerServers servers = peerServers;
        if (servers != null) {
            servers.close();
        }
        if (started != null) {
            started.close();
        }
        wan.end();
    }
}
