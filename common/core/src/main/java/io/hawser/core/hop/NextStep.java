package io.hawser.core.hop;

/**
 * Says, as a phrase for people, what a transfer at its sending end waits for. Every state has one, so no transfer can stall without
 * an explanation.
 *
 * <p>Thread: the sender's loop.
 */
final class NextStep {
    private NextStep() {}

    static String of(OutgoingTransfer transfer, boolean linked) {
        if (!linked) {
            return "there is no session";
        }
        return switch (transfer.state) {
            case WAITING -> waiting(transfer);
            case RESUMING -> "the receiver has yet to say what it has of it";
            case OPEN, COMMITTING -> sending(transfer);
            case SMALL -> "it is in line or on its way with other small ones, and not acknowledged";
            case CANCELLING -> "its cancellation is not acknowledged";
            case REFUSED -> "it was refused for now, and is tried again";
            case AWAITING_RIGHT -> "it waits for the right, and resumes by itself when the broker grants it";
        };
    }

    private static String waiting(OutgoingTransfer transfer) {
        return transfer.commit == null && transfer.available.isEmpty()
                ? "nothing of it can be sent yet"
                : "it waits for one of the open transfers to end";
    }

    private static String sending(OutgoingTransfer transfer) {
        long onTheirWay = transfer.claimed.count();
        if (onTheirWay > 0) {
            return onTheirWay + (onTheirWay == 1 ? " fragment is" : " fragments are")
                    + " being read or on the way, and not acknowledged";
        }
        if (transfer.nextToSend() >= 0) {
            return "it waits for credit, which others have taken";
        }
        return transfer.commit == null
                ? "all that can be sent of it is there; its source has yet to go on"
                : "all of it is there; the receiver has yet to say that it is committed";
    }
}
