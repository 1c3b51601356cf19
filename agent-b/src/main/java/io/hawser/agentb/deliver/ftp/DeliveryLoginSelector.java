package io.hawser.agentb.deliver.ftp;

import io.hawser.core.model.Manifest;
import java.io.IOException;
import java.util.Optional;

/**
 * Chooses the login by which each object is delivered.
 *
 * <p>Thread: any.
 */
interface DeliveryLoginSelector extends AutoCloseable {
    /** The sessions for that object. Throws IOException with a sentence if there can be none now. */
    DeliverySessions sessionsFor(Manifest manifest) throws IOException;

    DeliverySessions own();

    /** An object has been announced; it may carry a credential that others wait for. Blocks for some milliseconds. */
    default void announced(Manifest manifest) {}

    /** Whether these are logins of users; the server then need not know agent-b itself. */
    default boolean areUsers() {
        return false;
    }

    /** The state of users' credentials, for {@code /health}. */
    default Optional<String> credentials() {
        return Optional.empty();
    }

    /** Why nothing can be delivered now, or an empty string. */
    String problem();

    /** As {@link DeliverySessions#abandon}. */
    void abandon();

    @Override
    void close();
}
