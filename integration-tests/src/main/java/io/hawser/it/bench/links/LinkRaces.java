package io.hawser.it.bench.links;

import io.hawser.it.bench.links.Race.Kind;
import io.hawser.it.bench.report.Measurement;
import java.util.List;
import java.util.OptionalDouble;

/** {@code hawser bench links}: what is sent over which link, and in how many seconds it ought to be there. */
public final class LinkRaces {
    private static final long KIB = 1 << 10;
    private static final long MIB = 1 << 20;
    private static final Link FAR = Link.of(100, 600);

    private LinkRaces() {}

    /** The races, such as share nodes one behind the other. */
    static List<Race> races(boolean withPeers) {
        return List.of(
                race("64 MiB up", FAR, Kind.UPLOAD, 64 * MIB, 6.6, withPeers),
                race("16 MiB up", FAR, Kind.UPLOAD, 16 * MIB, 2.5, withPeers),
                race("1 MiB up", FAR, Kind.UPLOAD, MIB, 0.9, withPeers),
                race("256 KiB up", FAR, Kind.UPLOAD, 256 * KIB, 0.75, withPeers),
                race("64 MiB down", FAR, Kind.DOWNLOAD, 64 * MIB, 6.9, withPeers),
                race("64 MiB up", new Link(100, 600, 0, true), Kind.UPLOAD, 64 * MIB, 8.5, withPeers),
                race("64 MiB up", Link.of(100, 80), Kind.UPLOAD, 64 * MIB, 5.8, withPeers),
                race("16 MiB up", new Link(100, 80, 0.1, true), Kind.UPLOAD, 16 * MIB, 1.9, withPeers),
                race("400 MiB up", Link.of(1000, 10), Kind.UPLOAD, 400 * MIB, 3.55, withPeers),
                race("10,000 x 4 KiB", Link.of(100, 100), Kind.SMALL, 10_000L * Race.SMALL_BYTES, 5, withPeers));
    }

    private static Race race(String title, Link link, Kind kind, long bytes, double aimSeconds, boolean withPeers) {
        return new Race(
                Measurement.labels("work", title, "link", link.toString()),
                link,
                kind,
                bytes,
                "",
                true,
                withPeers ? peers(kind) : List.of(),
                OptionalDouble.of(aimSeconds));
    }

    /** All that do such a work. */
    static List<PeerProgram> peers(Kind kind) {
        return PeerProgram.ALL.stream().filter(peer -> peer.does(kind)).toList();
    }
}
