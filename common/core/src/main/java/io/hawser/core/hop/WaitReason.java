package io.hawser.core.hop;

/**
 * Describes in a phrase what a transfer at its sending end waits for. Every state has a phrase, so no transfer stalls without an
 * explanation.
 *
 * <p>Thread: the sender's loop.
 */
final class WaitReason {
    private WaitReason() {}

    static String of(OutgoingTransfer transfer, boolean linked) {
        if (!linked) {
            return "there is no session";
        }
        return switch (transfer.state()) {
            case WAITING -> waiting(transfer);
            case RESUMING -> "the receiver has yet to report what it has of it";
            case OPEN, COMMITTING -> sending(transfer);
            case SMALL -> "it is queued or in flight with other small transfers, and not acknowledged";
            case CANCELLING -> "its cancellation is not acknowledged";
            case REFUSED -> "it was refused for now, and is retried";
            case AWAITING_RIGHT -> "it waits for the right, and resumes by itself when the broker grants it";
        };
    }

    private static String waiting(OutgoingTransfer transfer) {
        if (transfer.held) {
            return "an operator holds it; 'hawser release' lets it go on";
        }
        return transfer.commit == null && transfer.available.isEmpty()
                ? "nothing of it can be sent yet"
                : "it waits for one of the open transfers to end";
    }

    private static String sending(OutgoingTransfer transfer) {
        long inFlight = transfer.claimed.count();
        if (inFlight > 0) {
            return inFlight + (inFlight == 1 ? " fragment is" : " fragments are")
                    + " being read or in flight, and not acknowledged";
        }
        if (transfer.nextToSend() >= 0) {
            return "it waits for credit, which other transfers use";
        }
        return transfer.commit == null
                ? "the receiver has all of it that can be sent; its source has yet to resume"
                : "the receiver has all of it, and has yet to commit it";
    }
}
