package io.hawser.ops.steer;

import io.hawser.ops.observe.TransferStatus;
import java.util.Optional;

/** Why a node that sends transfers on does nothing for one in some state. Pure. */
public final class SteeringObstacle {
    private SteeringObstacle() {}

    /**
     * What is in the way of any action but {@link SteeringAction#RETRY}.
     *
     * @param state the transfer's, as {@code /transfers} shows it
     * @param ended whether this node has nothing left to do for it
     * @return a sentence; empty if nothing is in the way
     */
    public static Optional<String> of(SteeringAction action, String state, boolean ended) {
        if (ended) {
            return Optional.of("it has ended: " + state);
        }
        boolean isHeld = state.equals("held");
        return action == SteeringAction.RELEASE && !isHeld
                ? Optional.of("it is not held here")
                : action == SteeringAction.HOLD && isHeld ? Optional.of("it is held already") : Optional.empty();
    }

    /**
     * Why nothing can be tried again at a node that has no bytes of it.
     *
     * @param afterEnd of one that has ended: why not here, and what to do, as the end of a sentence
     */
    public static String ofRetry(TransferStatus status, String afterEnd) {
        String state = status.state();
        return switch (state) {
            case "dead" -> DeadLetterRetry.reason(status);
            case "failed", "expired", "cancelled" -> "it has ended: " + state + ", and " + afterEnd;
            default -> "it has not failed here";
        };
    }
}
