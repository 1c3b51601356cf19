package io.hawser.agentb.deliver.ftp;

import io.hawser.core.model.Manifest;
import java.io.IOException;
import java.util.Optional;

/**
 * By which login each object is delivered.
 *
 * <p>Thread: any.
 */
interface FarLogins extends AutoCloseable {
    /** The sessions for that object. Throws IOException with a sentence if there can be none now. */
    DeliverySessions of(Manifest manifest) throws IOException;

    /** Agent-b's own sessions. */
    DeliverySessions own();

    /** An object has been announced, which may bring what others wait for. Blocks for some milliseconds. */
    default void announced(Manifest manifest) {}

    /** Whether these are logins of users, and not of agent-b itself, which then need not be known to the server. */
    default boolean areUsers() {
        return false;
    }

    /** What is worth knowing of the credentials in use. */
    default Optional<String> shown() {
        return Optional.empty();
    }

    /** What keeps it from delivering now, or an empty string. */
    String problem();

    /** As {@link DeliverySessions#abandon}. */
    void abandon();

    @Override
    void close();

    /** All by one login. */
    static FarLogins one(DeliverySessions sessions) {
        return new FarLogins() {
            @Override
            public DeliverySessions of(Manifest manifest) {
                return sessions;
            }

            @Override
            public DeliverySessions own() {
                return sessions;
            }

            @Override
            public String problem() {
                return sessions.problem();
            }

            @Override
            public void abandon() {
                sessions.abandon();
            }

            @Override
            public void close() {
                sessions.close();
            }
        };
    }
}
