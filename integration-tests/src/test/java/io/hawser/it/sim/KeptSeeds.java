package io.hawser.it.sim;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.stream.LongStream;

/** Seeds that found a bug once, from {@code sim/seeds.txt}: one in a line, and behind it what went wrong. */
final class KeptSeeds {
    private final long[] seeds;

    private KeptSeeds(long[] seeds) {
        this.seeds = seeds;
    }

    static KeptSeeds load() {
        try (InputStream file = KeptSeeds.class.getResourceAsStream("/sim/seeds.txt");
                BufferedReader lines = new BufferedReader(
                        new InputStreamReader(Objects.requireNonNull(file), StandardCharsets.UTF_8))) {
            return new KeptSeeds(lines.lines()
                    .map(line -> line.replaceFirst("#.*", "").trim())
                    .filter(line -> !line.isEmpty())
                    .mapToLong(Long::parseLong)
                    .toArray());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    LongStream stream() {
        return LongStream.of(seeds);
    }
}
