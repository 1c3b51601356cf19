package io.hawser.it.bench.links;

import io.hawser.it.bench.links.Race.Kind;
import io.hawser.it.bench.links.Wan.Site;
import io.hawser.it.bench.report.Figure;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * One way to do a work, and what it has taken so far.
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
    final Figure figure() {
        Map<String, String> of = new LinkedHashMap<>(race.of());
        of.put("by", by);
        Figure figure = Figure.of(of, Figure.SECONDS, seconds).limited(race.limitSeconds(), LIMIT);
        Figure withAim =
                race.aimSeconds().isPresent() ? figure.aimed(race.aimSeconds().getAsDouble()) : figure;
        return withAim.also("Mbit/s", race.bytes() * 8 / 1e6 / figure.spread().median())
                .also("wire", wireBytes / ((double) race.bytes() * seconds.size()));
    }

    boolean hasRun() {
        return !seconds.isEmpty();
    }
}
