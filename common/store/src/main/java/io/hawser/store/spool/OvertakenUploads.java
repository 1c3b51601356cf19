package io.hawser.store.spool;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Topic;

/**
 * Ends uploads that broke off when a later transfer of their path is accepted. What is suspended holds back no other, so the later one may
 * be applied before it: continued after that, the older one would be applied last (Order by path).
 *
 * <p>Thread: the loop.
 */
record OvertakenUploads(TransferRegister register, ActiveUploads uploads, TransferLifecycle transfers) {
    private static final Refusal OVERTAKEN =
            new Refusal(ErrorCode.CANCELLED, "Superseded by a later transfer of the same path, which is complete");

    /** {@code later} is complete: what broke off before it does not continue. */
    void accepted(SpoolTransfer later) {
        Topic topic = later.manifest().topic();
        for (String path : later.manifest().paths()) {
            register.touched().touchingOrBelow(topic, path).stream()
                    .filter(older ->
                            older.manifest().number() < later.manifest().number())
                    .filter(uploads::isIncomplete)
                    .forEach(older -> transfers.cancel(older, OVERTAKEN));
        }
    }

    /** {@code upload} broke off, perhaps in an earlier life of the node: it does not continue if a later transfer is complete. */
    void brokeOff(SpoolTransfer upload) {
        if (uploads.isIncomplete(upload) && isOvertaken(upload)) {
            transfers.cancel(upload, OVERTAKEN);
        }
    }

    private boolean isOvertaken(SpoolTransfer upload) {
        return upload.manifest().paths().stream()
                .anyMatch(path -> register
                        .touched()
                        .touchingOrBelow(upload.manifest().topic(), path)
                        .stream()
                        .anyMatch(later ->
                                later.manifest().number() > upload.manifest().number() && later.commit() != null));
    }
}
