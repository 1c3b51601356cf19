package io.hawser.store.landing;

import io.hawser.store.storage.StorageException;

/** How the delivery of one object ended. */
public sealed interface DeliveryOutcome {
    /** The object. */
    VerifiedObject object();

    /** It is durably there. */
    record Delivered(VerifiedObject object) implements DeliveryOutcome {}

    /**
     * The target does not take a file until a person changes something there: it goes to the dead-letter list with {@code reason}, so
     * that its bytes are not lost.
     */
    record Refused(VerifiedObject object, String reason) implements DeliveryOutcome {}

    /** It can never be delivered; the publisher gets a FAILED receipt with {@code reason}. */
    record Failed(VerifiedObject object, String reason) implements DeliveryOutcome {}

    /** It could not be delivered now; it will be tried again with back-off. */
    record Later(VerifiedObject object, String reason) implements DeliveryOutcome {}

    /**
     * It may be there, but a force failed, so it may not last. The landing area ends for good: only a restart
     * finds out what the disk really holds.
     */
    record Unsure(VerifiedObject object, StorageException cause) implements DeliveryOutcome {}
}
