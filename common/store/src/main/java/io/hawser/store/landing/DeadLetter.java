package io.hawser.store.landing;

/**
 * A transfer on the dead-letter list, for people and for JSON.
 *
 * @param transfer the key
 * @param name its path below the target
 * @param sizeBytes its size
 * @param sinceMillis when it was given up, milliseconds since the epoch
 * @param reason what stood in the way last
 * @param overtakenBy the key of a later transfer that has been delivered meanwhile and shares a path with it, so that a
 *     retry would put older bytes over newer ones; empty if there is none
 */
public record DeadLetter(
        String transfer, String name, long sizeBytes, long sinceMillis, String reason, String overtakenBy) {
    /** Whether a later transfer of the same path has been delivered. */
    public boolean wasOvertaken() {
        return !overtakenBy.isEmpty();
    }

    DeadLetter withOvertakenBy(String key) {
        return new DeadLetter(transfer, name, sizeBytes, sinceMillis, reason, key);
    }
}
