package io.hawser.it.chaos;

import io.hawser.ops.cli.Errors;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code integration-tests/lab chaos report DIR}: what the runs in a journal directory add up to. */
@Command(
        name = "report",
        mixinStandardHelpOptions = true,
        description =
                "Adds up the runs in a journal directory. Exit code 0: all holds; 1: something does not; 2: usage, or runs of"
                        + " several commits; 3: void.")
final class SumCommand implements Callable<Integer> {
    @Parameters(paramLabel = "DIR", description = "what was given as --journal")
    private Path directory = Path.of(".");

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public Integer call() {
        try {
            return new RunJournal(directory).publish();
        } catch (IOException | IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), directory + ": " + Errors.sentence(e), e);
        }
    }
}
