package io.hawser.it.bench.report;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * What {@code --json} prints, the same for all benches. integration-tests/README.md describes it; a field may come, none changes its
 * meaning without another {@code version}.
 *
 * @param bench its name, as on the command line
 * @param title what was done, as a phrase
 * @param hawser which version did it
 * @param commit of what sources, or {@value #UNKNOWN}; documents of earlier versions do not say it
 * @param began when, in UTC
 * @param loadBefore how many processes wanted a processor in the minute before, and at the end
 * @param parameters as on the command line
 * @param good whether all that was sent arrived, with the right bytes, and every program did what it was asked for
 * @param notes lines for people: what was compared, what failed
 */
public record BenchDocument(
        int version,
        String bench,
        String title,
        String hawser,
        String commit,
        String began,
        Machine machine,
        double loadBefore,
        double loadAfter,
        Map<String, String> parameters,
        boolean good,
        List<Measurement> figures,
        List<String> notes) {
    /** Of this shape. */
    public static final int VERSION = 1;

    /** The commit of what was not started from a clone. */
    public static final String UNKNOWN = "unknown";

    public BenchDocument {
        commit = Objects.requireNonNullElse(commit, UNKNOWN);
        parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
        figures = List.copyOf(figures);
        notes = List.copyOf(notes);
    }
}
