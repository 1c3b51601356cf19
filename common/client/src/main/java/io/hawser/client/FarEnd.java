package io.hawser.client;

/**
 * How far a transfer is at one of its far ends, as far as this client knows.
 *
 * @param subscription the far end's subscription
 * @param state what is known of it
 * @param durableBytes bytes that are durable there, 0 or more; as old as the latest answer of the broker ({@link
 *     HawserClient#askFarEnds}) or receipt
 */
public record FarEnd(String subscription, State state, long durableBytes) {
    /** What is known of a far end. */
    public enum State {
        /** It is owed the transfer; the broker has not been asked how far it is. */
        OWED,
        /** Its consumer is not connected to the broker. */
        AWAY,
        /** Its consumer is connected, and does not have all of the transfer yet. */
        ARRIVING,
        /** It has all of it, durable and verified. */
        LANDED,
        /** It has published it. */
        DELIVERED,
        /** It will not deliver it, or has it on its dead-letter list. */
        NOT_DELIVERED
    }

    /** Whether nothing more is to be expected of it. */
    public boolean isFinal() {
        return state == State.DELIVERED || state == State.NOT_DELIVERED;
    }
}
