package io.hawser.common.testkit.sim;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./hawser-sim exhaustive}: a small transfer, with a crash at every step. */
@Command(
        name = "exhaustive",
        description =
                "A transfer of three fragments: each node dies at each step, by kill or power cut, and once more at each step of what"
                        + " follows. Exit code 1 if a schedule goes wrong, 3 if a sort of crash never met a node that was up."
                        + " All second crashes are some hundred thousand schedules; how far it is stands on standard error.",
        mixinStandardHelpOptions = true)
final class ExhaustiveCommand implements Callable<Integer> {
    private static final int FAILED = 1;
    private static final int VOID = 3;

    @Option(
            names = "--stride",
            description = "of the second crashes only each so manieth (default ${DEFAULT-VALUE})",
            defaultValue = "1")
    int stride;

    @Override
    public Integer call() {
        Exhaustive exhaustive = new Exhaustive(stride, System.err::println);
        exhaustive.run();
        System.out.println(exhaustive.report());
        exhaustive.failures().stream().limit(5).forEach(System.out::println);
        if (!exhaustive.failures().isEmpty()) {
            return FAILED;
        }
        return exhaustive.isComplete() ? 0 : VOID;
    }
}
