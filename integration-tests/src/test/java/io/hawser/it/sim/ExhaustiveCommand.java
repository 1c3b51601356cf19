package io.hawser.it.sim;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code integration-tests/lab sim exhaustive}: a small transfer, with a crash at every step and something at every call of a disk. */
@Command(
        name = "exhaustive",
        description =
                "A transfer of three fragments: each node dies at each step, by kill or power cut, and once more at each step of what"
                        + " follows; and something happens at each changing call of each node's disk. Exit code 1 if a schedule goes wrong, 3 if a sort of crash never met a node that was up or a chosen call was not made."
                        + " All second crashes are two million schedules; how far it is stands on standard error.",
        mixinStandardHelpOptions = true)
final class ExhaustiveCommand implements Callable<Integer> {
    @Option(
            names = "--stride",
            description = "of the second crashes only each so manieth (default ${DEFAULT-VALUE})",
            defaultValue = "1")
    int stride;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public Integer call() {
        if (stride < 1) {
            throw new ParameterException(spec.commandLine(), "--stride is 1 or more");
        }
        Exhaustive exhaustive = new Exhaustive(stride, System.err::println);
        exhaustive.run();
        System.out.println(SimMain.commit() + ": " + exhaustive.report());
        exhaustive.failures().stream().limit(5).forEach(System.out::println);
        if (!exhaustive.failures().isEmpty()) {
            return SimMain.FAILED;
        }
        return exhaustive.isComplete() ? 0 : SimMain.VOID;
    }
}
