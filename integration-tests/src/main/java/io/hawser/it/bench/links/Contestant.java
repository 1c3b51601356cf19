package io.hawser.it.bench.links;

import io.hawser.it.bench.links.Race.Kind;
import io.hawser.it.bench.links.Wan.Site;
import io.hawser.it.bench.report.Measurement;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One program in a race: runs the transfer and collects its times and the bytes it put on the link.
 *
 * <p>Thread: one.
 */
abstract class Contestant {
    private static final String LIMIT = "the bytes at the link's rate, and one round trip";

    private final String by;
    private final Race race;
    private final Wan wan;
    private final List<Double> seconds = new ArrayList<>();
    private long wireBytes;

    Contestant(String by, Race race, Wan wan) {
        this.by = by;
        this.race = race;
        this.wan = wan;
    }

    /** Does it once; returns the seconds that it took. */
    abstract double once(int run) throws IOException, InterruptedException;

    String by() {
        return by;
    }

    Race race() {
        return race;
    }

    Wan wan() {
        return wan;
    }

    final void run(int run) throws IOException, InterruptedException {
        Site source = race.kind() == Kind.DOWNLOAD ? Site.RIGHT : Site.LEFT;
        long sentBefore = wan.sentBytes(source);
        seconds.add(once(run));
        wireBytes += wan.sentBytes(source) - sentBefore;
    }

    /** Of all runs; there must have been one. */
    final Measurement figure() {
        Map<String, String> of = new LinkedHashMap<>(race.of());
        of.put("by", by);
        Measurement figure = Measurement.of(of, Measurement.SECONDS, seconds).limited(race.limitSeconds(), LIMIT);
        Measurement withAim =
                race.aimSeconds().isPresent() ? figure.aimed(race.aimSeconds().getAsDouble()) : figure;
        return withAim.also("Mbit/s", race.bytes() * 8 / 1e6 / figure.spread().median())
                .also("wire", wireBytes / ((double) race.bytes() * seconds.size()));
    }

    boolean hasRun() {
        return !seconds.isEmpty();
    }
}
