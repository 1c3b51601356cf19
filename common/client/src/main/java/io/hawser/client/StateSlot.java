package io.hawser.client;

import io.hawser.core.config.HostPort;
import java.nio.file.Path;
import java.util.List;

/**
 * A part of a {@link StateDirectory} as it was found: a journal with its identity, for one client at a time and for one destination.
 *
 * @param directory where it is
 * @param brokers the destination: the addresses of one broker, or of several over one store; empty if none is written down
 * @param isSettled whether its last client has closed it with all that it had accepted at the broker
 */
public record StateSlot(Path directory, List<HostPort> brokers, boolean isSettled) {
    public StateSlot {
        brokers = List.copyOf(brokers);
    }

    /** Whether what is in it may go to {@code named}: they share an address, or nothing says where it was to go. */
    public boolean isFor(List<HostPort> named) {
        return brokers.isEmpty() || brokers.stream().anyMatch(named::contains);
    }
}
