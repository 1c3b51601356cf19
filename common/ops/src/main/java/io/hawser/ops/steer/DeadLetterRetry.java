package io.hawser.ops.steer;

import io.hawser.ops.observe.ReceiptLine;
import io.hawser.ops.observe.TransferStatus;
import java.util.stream.Collectors;

/**
 * Says who can retry a dead letter: the far end alone has its bytes, and no message between nodes asks it to.
 *
 * <p>Thread: any.
 */
public final class DeadLetterRetry {
    private static final String DEAD = "dead";
    /** Where agent-b's admin pages are unless its --admin says otherwise. */
    private static final String STANDARD_ADMIN = "127.0.0.1:7482";

    private DeadLetterRetry() {}

    /** Whether it is on a far end's dead-letter list. */
    public static boolean isFor(TransferStatus status) {
        return status.state().equals(DEAD);
    }

    /** Why no other node than the far end retries it, and how it is done there. */
    public static String reason(TransferStatus status) {
        String where = status.receipts().stream()
                .filter(each -> each.status().equals(DEAD))
                .map(ReceiptLine::subscription)
                .collect(Collectors.joining(", "));
        return "it is on the dead-letter list of " + (where.isEmpty() ? "a far end" : where) + ": on that machine run '"
                + command(status) + "', with another address if that agent-b has another --admin";
    }

    /** The command to run on the far end's machine. */
    public static String command(TransferStatus status) {
        return "hawser retry " + status.key() + " --admin " + STANDARD_ADMIN;
    }
}
