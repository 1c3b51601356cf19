package io.hawser.ops.steer;

import io.hawser.ops.observe.HopStatus;
import io.hawser.ops.observe.TransferStatus;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Why a node that sends transfers on does nothing for one in some state. Pure. */
public final class SteeringObstacle {
    private static final Set<String> FINAL_WORDS = Set.of("delivered", "failed", "expired", "cancelled");

    private SteeringObstacle() {}

    /** What is in the way of an action at a broker, whose far ends are other processes. */
    public static Optional<String> atBroker(SteeringAction action, TransferStatus status) {
        if (action == SteeringAction.RETRY) {
            // A far end takes no transfer again under an id that it has ended: so the broker, which cannot give it
            // another, retries none.
            return Optional.of(ofRetry(status, "its far end takes it no more under this id; send it again"));
        }
        List<HopStatus> outgoing = status.hops().stream().skip(1).toList();
        boolean ended = !outgoing.isEmpty() && outgoing.stream().allMatch(hop -> FINAL_WORDS.contains(hop.state()));
        return of(action, status.state(), ended || status.state().equals("cancelled"));
    }

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
