package io.hawser.it.power;

import io.hawser.it.ledger.JsonLines;
import io.hawser.it.ledger.Verdict;
import io.hawser.release.process.WorkDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** A command that adds trials to a journal, continues where an earlier run of the same commit ended, and judges all of this commit. */
abstract class TrialCommand<T extends Trial> implements Callable<Integer> {
    static final String COMMIT = System.getProperty("hawser.commit", "unknown");

    private final Class<T> type;
    private final String prefix;

    @Option(
            names = "--journal",
            description = "a line of JSON for each trial is added to it (default: ${DEFAULT-VALUE})")
    private Path journal;

    @Option(
            names = "--dir",
            description = "a new directory for data and logs, kept (default: one in /dev/shm, kept if not all holds)")
    private @Nullable Path directory;

    @Option(names = "--summary", description = "only says what the journal adds up to")
    private boolean summaryOnly;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    CommandSpec spec;

    /** @param prefix of temporary directories */
    TrialCommand(Class<T> type, String journal, String prefix) {
        this.type = type;
        this.journal = Path.of(journal);
        this.prefix = prefix;
    }

    /** Refuses options that make no sense. */
    abstract void checkOptions();

    /** Runs what {@code before} lacks, until something is violated: later violations would be blamed on the same cause. */
    abstract void runMissing(List<T> before, Consumer<T> each) throws Exception;

    /** How many trials of this commit show what the options ask for. */
    abstract int count(List<T> ofCommit);

    abstract String summary(List<T> trials);

    @Override
    public Integer call() throws Exception {
        checkOptions();
        JsonLines<T> lines = new JsonLines<>(journal, type);
        List<T> before = read(lines);
        if (!summaryOnly) {
            runMissing(before, lines::add);
        }
        List<T> all = lines.all();
        System.out.print(summary(all));
        List<T> ofCommit = Trial.of(COMMIT, all);
        return Verdict.of(summaryOnly ? Trial.count(ofCommit) : count(ofCommit), Trial.violations(ofCommit));
    }

    boolean isSummaryOnly() {
        return summaryOnly;
    }

    /** What the journal has; before a run also whether it takes more. */
    private List<T> read(JsonLines<T> lines) {
        try {
            if (!summaryOnly) {
                lines.checkWritable();
            }
            return lines.all();
        } catch (IOException e) {
            throw Verdict.usage(spec, "--journal", e);
        }
    }

    /** Makes the directory for data and logs. */
    Path makeData() {
        Path memory = Path.of("/dev/shm");
        Path usual = Files.isDirectory(memory) ? memory : Path.of(System.getProperty("java.io.tmpdir"));
        try {
            Path made =
                    directory == null ? Files.createTempDirectory(usual, prefix) : Files.createDirectories(directory);
            return made.toRealPath();
        } catch (IOException e) {
            throw Verdict.usage(spec, "--dir", e);
        }
    }

    /** Deletes the directory unless it was named. */
    void deleteData(Path data) throws IOException {
        if (directory == null) {
            WorkDirectory.delete(data);
        }
    }
}
