package io.hawser.client;

import java.nio.file.Path;
import java.util.List;

/**
 * One journal of a {@link StateDirectory} with its node id, as it was when it was read. One client uses it at a time, for one destination.
 *
 * @param directory where it is
 * @param brokers its destination: the addresses of one broker, or of several over one store; empty if it has none yet
 * @param isSettled whether its last client closed it when the broker had all that was accepted
 */
public record StateSlot(Path directory, List<String> brokers, boolean isSettled) {
    /** Copies the list. */
    public StateSlot {
        brokers = List.copyOf(brokers);
    }

    /**
     * Whether its transfers may go to {@code named}: an address is in both lists, or the slot has no destination. Does not block.
     *
     * @param named addresses, {@code host:port}
     */
    public boolean isFor(List<String> named) {
        return brokers.isEmpty() || brokers.stream().anyMatch(named::contains);
    }
}
