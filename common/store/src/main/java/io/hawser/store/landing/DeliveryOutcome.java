package io.hawser.store.landing;

import io.hawser.store.storage.StorageException;

/** How the delivery of one object ended. */
public sealed interface DeliveryOutcome {
    /** The object. */
    VerifiedObject object();

    /**
     * It is durably there.
     *
     * @param isDoubtful whether that is only concluded from the missing landing file, while it is not at its name
     */
    record Delivered(VerifiedObject object, boolean isDoubtful) implements DeliveryOutcome {
        public Delivered(VerifiedObject object) {
            this(object, false);
        }
    }

    /**
     * The target does not take a file until a person changes something there: it goes to the dead-letter list with {@code reason}, so
     * that its bytes are not lost.
     */
    record Refused(VerifiedObject object, String reason) implements DeliveryOutcome {}

    /** It can never be delivered; the publisher gets a FAILED receipt with {@code reason}. */
    record Failed(VerifiedObject object, String reason) implements DeliveryOutcome {}

    /**
     * It could not be delivered now; it will be tried again with back-off.
     *
     * @param mayBeDone whether this attempt or an earlier one may have delivered it: it was renamed and its directory not forced, or the
     *     reply to a command did not come
     */
    record Later(VerifiedObject object, String reason, boolean mayBeDone) implements DeliveryOutcome {
        /** Nothing was changed at the target. */
        public Later(VerifiedObject object, String reason) {
            this(object, reason, false);
        }
    }

    /**
     * It may be there, but a force failed, so it may not last. The landing area ends for good: only a restart
     * finds out what the disk really holds.
     */
    record Unsure(VerifiedObject object, StorageException cause) implements DeliveryOutcome {}
}
