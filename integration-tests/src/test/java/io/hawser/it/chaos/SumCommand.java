package io.hawser.it.chaos;

import io.hawser.common.observe.Json;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code ./hawser-chaos report DIR}: what the runs in a journal directory add up to. */
@Command(name = "report", mixinStandardHelpOptions = true, description = "Adds up the runs in a journal directory.")
final class SumCommand implements Callable<Integer> {
    @Parameters(paramLabel = "DIR", description = "what was given as --journal")
    private Path directory = Path.of(".");

    @Override
    public Integer call() throws Exception {
        ChaosReport sum = new RunJournal(directory).sum();
        System.out.print(sum.text());
        System.out.println(Json.line(sum));
        return sum.holds() ? 0 : 1;
    }
}
