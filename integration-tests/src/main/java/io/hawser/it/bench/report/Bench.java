package io.hawser.it.bench.report;

/**
 * Something that measures.
 *
 * <p>Thread: main; {@link #end} any.
 */
public interface Bench {
    /**
     * Measures, tells the report, and ends what it has started.
     *
     * @return whether all that was sent arrived, with the right bytes
     */
    boolean run(BenchReport report) throws Exception;

    /** Ends its processes, also such as are just being started. */
    void end();
}
