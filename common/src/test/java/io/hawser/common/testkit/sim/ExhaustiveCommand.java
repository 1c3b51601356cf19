package io.hawser.common.testkit.sim;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./hawser-sim exhaustive}: a small transfer, with a crash at every step. */
@Command(
        name = "exhaustive",
        description =
                "A transfer of three fragments: each node dies at each step, by kill or power cut, and once more at each step of what"
                        + " follows. Exit code 1 if a schedule goes wrong.",
        mixinStandardHelpOptions = true)
final class ExhaustiveCommand implements Callable<Integer> {
    @Option(
            names = "--stride",
            description = "of the second crashes only each so manieth (default ${DEFAULT-VALUE})",
            defaultValue = "1")
    int stride;

    @Override
    public Integer call() {
        Exhaustive exhaustive = new Exhaustive(stride);
        exhaustive.run();
        System.out.println(exhaustive.report());
        exhaustive.failures().stream().limit(5).forEach(System.out::println);
        return exhaustive.failures().isEmpty() ? 0 : 1;
    }
}
