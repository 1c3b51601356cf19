package io.hawser.store.landing;

import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import java.util.List;

/**
 * Notifies the target of objects that are still arriving: how far their verified prefix reaches, and that they will never be
 * complete.
 *
 * <p>Thread: the loop.
 */
final class ArrivalNotifier {
    private final DeliveryTarget target;
    private final LandingFiles files;

    ArrivalNotifier(DeliveryTarget target, LandingFiles files) {
        this.target = target;
        this.files = files;
    }

    /** More of {@code landing} is verified: {@code prefixBytes} from its beginning without a gap. */
    void grew(LandingTransfer landing, long prefixBytes) {
        ArrivingObject object = landing.arriving;
        if (object == null) {
            if (landing.manifest.kind() != TransferKind.FILE || !target.wantsEarly(landing.manifest, prefixBytes)) {
                return;
            }
            object = new ArrivingObject(landing.manifest, files.path(landing.key()));
            landing.arriving = object;
        }
        if (prefixBytes > object.verifiedBytes()) {
            object.grewTo(prefixBytes);
            target.arriving(object);
        }
    }

    /** What was given up before the start and left a note. */
    void goneBefore(List<TransferKey> keys) {
        keys.forEach(key -> target.gone(key, VerifiedObject.noteOf(files.path(key))));
    }

    /** {@code landing} was not committed and is given up; this process or an earlier one may have begun to deliver it. */
    void gone(LandingTransfer landing) {
        landing.arriving = null;
        if (landing.hasFile()) {
            target.gone(landing.key(), VerifiedObject.noteOf(files.path(landing.key())));
        }
    }
}
