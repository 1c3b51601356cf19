package io.hawser.it.bench.links;

import io.hawser.it.bench.links.Race.Kind;
import io.hawser.it.bench.links.Wan.Site;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;

/**
 * Measures another program in a race: it transfers directly between the two ends of the link.
 *
 * <p>Thread: one.
 */
final class PeerContestant extends Contestant {
    private final PeerProgram peer;
    private final PeerServers servers;
    private final Path source;

    /** @param source a file, or a directory of small ones */
    PeerContestant(Race race, Wan wan, PeerProgram peer, PeerServers servers, Path source) {
        super(peer.title(), race, wan);
        this.peer = peer;
        this.servers = servers;
        this.source = source;
    }

    /** Fails if the program does, or if other bytes are there than were sent. */
    @Override
    double once(int run) throws IOException, InterruptedException {
        Kind kind = race().kind();
        boolean down = kind == Kind.DOWNLOAD;
        String name = peer.title().replaceAll("[^A-Za-z0-9]+", "-") + "-" + run;
        Path local = down ? source.resolveSibling(name + ".got") : source;
        Path remote = servers.root().resolve(name);
        if (down) {
            Files.copy(source, remote);
        }
        String[] command = peer.typed().words(kind, servers, local, name).toArray(String[]::new);
        long began = System.nanoTime();
        int code = wan().run(Site.LEFT, command);
        double seconds = (System.nanoTime() - began) / 1e9;
        if (code != 0 || !isEqual(source, down ? local : remote)) {
            throw new IOException(Arrays.toString(command) + (code == 0 ? " brought other bytes" : " failed: " + code));
        }
        if (down) {
            Files.delete(local);
        }
        return seconds;
    }

    private static boolean isEqual(Path source, Path copy) throws IOException {
        return Files.isDirectory(source) ? files(source) == files(copy) : Files.mismatch(source, copy) < 0;
    }

    private static long files(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            return all.filter(Files::isRegularFile).count();
        }
    }
}
