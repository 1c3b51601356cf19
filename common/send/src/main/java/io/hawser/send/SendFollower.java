package io.hawser.send;

import io.hawser.client.HawserClient;
import io.hawser.client.SentTransfer;
import io.hawser.ops.cli.CommandException;
import io.hawser.ops.cli.ExitCode;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Follows a run to its end, shows how far it is, and says what became of it.
 *
 * <p>Thread: main only.
 */
record SendFollower(SendOutput output, SendRun.Order order) {
    /** How long the end waits for the journal to have the cancel of a refused transfer. No broker is needed for that. */
    private static final int CANCEL_SECONDS = 2;

    /** What is run. */
    interface Task {
        List<SentObject> run(SendRun run) throws IOException;
    }

    ExitCode follow(HawserClient client, SendPlan plan, Optional<SendResumeLog> resumeLog, Task task)
            throws IOException {
        long startedNanos = System.nanoTime();
        SendDisplay display = output.display(order);
        SendRun run = new SendRun(client, resumeLog, display, plan, order);
        List<SentObject> sendings;
        try (display) {
            sendings = task.run(run);
        } catch (CommandException e) {
            finish(display, plan, run.sendings(), Optional.ofNullable(e.getMessage()));
            throw e;
        }
        SendReport report = new SendReport(plan, sendings, order);
        finish(display, plan, sendings, Optional.empty());
        if (output.mode() != SendOutput.Mode.JSON) {
            report.problems(output.err());
        }
        if (output.mode() == SendOutput.Mode.TEXT) {
            report.summary((System.nanoTime() - startedNanos) / 1e9, output.out());
        }
        sendings.forEach(SendFollower::giveUpIfRefused);
        if (report.isLate()) {
            output.err()
                    .println(
                            "hawser: the time is over; what was accepted stays so: run the same command again to continue");
            output.err().flush();
        }
        if (output.out().checkError()) {
            throw new CommandException(
                    ExitCode.FAILED,
                    "standard output could not be written: what became of the files was not said. The same command sends"
                            + " nothing again that was finished");
        }
        return report.exitCode();
    }

    private static void finish(SendDisplay display, SendPlan plan, List<SentObject> sendings, Optional<String> end) {
        if (display instanceof JsonDisplay json) {
            json.finish(plan, sendings, end);
        }
    }

    /** What this command calls refused is not offered to the broker again by a later one. */
    private static void giveUpIfRefused(SentObject sending) {
        SentTransfer transfer = sending.transfer();
        if (transfer == null || !sending.isRefused()) {
            return;
        }
        try {
            var unused = transfer.cancel("refused by the broker").get(CANCEL_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException | TimeoutException e) {
            return; // it has left the journal before
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
