package io.hawser.ops.steer;

import java.util.Locale;

/** What an operator may ask of a transfer. */
public enum SteeringAction {
    /** It goes to nobody who does not have it yet. */
    CANCEL("cancelled"),
    /** One that failed is delivered again. */
    RETRY("tried again"),
    /** It is given up where it cannot be delivered. */
    DROP("dropped"),
    /** It stays where it is until it is released. */
    HOLD("held"),
    /** It is held no longer. */
    RELEASE("released"),
    /** It goes before those of a lower priority. */
    PRIORITY("given another priority");

    private final String done;

    SteeringAction(String done) {
        this.done = done;
    }

    /** Its page. */
    public String path() {
        return "/transfers/" + word();
    }

    /** The word of the command, in lower case. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** What a transfer is after it, for sentences. */
    public String done() {
        return done;
    }
}
