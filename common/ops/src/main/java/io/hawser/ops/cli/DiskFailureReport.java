package io.hawser.ops.cli;

import io.hawser.store.storage.CannotOpenNowException;
import io.hawser.store.storage.DirectoryGoneException;
import io.hawser.store.storage.FormatTooNewException;
import io.hawser.store.storage.FormatTooOldException;
import io.hawser.store.storage.OutOfSpaceException;
import io.hawser.store.storage.RemoteStoreException;
import java.io.IOException;
import java.io.PrintWriter;

/**
 * Reports a failed disk as the last line of a node: what happened, that what was acked is durable, and what to do.
 *
 * <p>Thread: any.
 */
final class DiskFailureReport {
    private DiskFailureReport() {}

    /** Reports a node that could not start. Returns the exit code. */
    static int report(String node, Throwable failure, PrintWriter err) {
        boolean saysWhatToDo = failure instanceof FormatTooNewException
                || failure instanceof FormatTooOldException
                || failure instanceof DirectoryGoneException
                || failure instanceof RemoteStoreException;
        if (Errors.exitCode(failure) != ExitCode.STORAGE
                || saysWhatToDo
                || !(failure instanceof IOException)
                || Hawser.isDebug()) {
            return Errors.report(failure, err);
        }
        err.println(
                "hawser: " + node + " cannot start: " + text(failure) + ". Check the disk (dmesg, df, smartctl) and the"
                        + " directory ('hawser fsck DIR' changes nothing), then start it again.");
        err.flush();
        return ExitCode.STORAGE.code();
    }

    /** Reports a running node that failed. Returns the exit code. */
    static int reportFailure(String node, IOException failure, PrintWriter err) {
        String advice = ". What was acked is durable; what was not will be sent again. ";
        ExitCode code = ExitCode.STORAGE;
        String why = "has stopped: ";
        if (failure instanceof RemoteStoreException) {
            advice = ". What was acked is kept; what was not will be sent again. Start it again.";
        } else if (failure instanceof DirectoryGoneException) {
            advice =
                    ". Mount it, or restore it from a backup, then start it again. What only that directory held is lost if it"
                            + " does not come back.";
        } else if (failure instanceof CannotOpenNowException unopened && unopened.isForWantOfDescriptors()) {
            advice += "Nothing is wrong with its disk: raise"
                    + " the limit of open files ('ulimit -n', or LimitNOFILE of systemd), then start it again.";
            code = ExitCode.FAILED;
        } else {
            why = "has stopped, since its disk failed: ";
            advice += (failure instanceof OutOfSpaceException
                            ? "Make room on the disk"
                            : "Check the disk (dmesg, smartctl)")
                    + " and the directory ('hawser fsck DIR' changes nothing), then start it again.";
        }
        err.println("hawser: " + node + " " + why + text(failure) + advice);
        err.flush();
        return code.code();
    }

    private static String text(Throwable failure) {
        String sentence = Errors.sentence(failure).strip();
        return sentence.endsWith(".") ? sentence.substring(0, sentence.length() - 1) : sentence;
    }
}
