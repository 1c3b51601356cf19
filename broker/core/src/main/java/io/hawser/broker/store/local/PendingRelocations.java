package io.hawser.broker.store.local;

import io.hawser.core.model.TransferKey;
import java.util.HashSet;
import java.util.Set;

/**
 * The transfers and subscriptions that are being relocated out of an old segment, by a text that names each.
 *
 * <p>Thread: index only.
 */
final class PendingRelocations {
    private static final char TRANSFER = 't';
    private static final char SUBSCRIPTION = 's';

    private final Set<String> inFlight = new HashSet<>();

    static String of(TransferKey key) {
        return TRANSFER + key.toString();
    }

    static String of(String subscription) {
        return SUBSCRIPTION + subscription;
    }

    static boolean isTransfer(String what) {
        return what.charAt(0) == TRANSFER;
    }

    static TransferKey keyIn(String what) {
        return TransferKey.parse(what.substring(1));
    }

    static String nameIn(String what) {
        return what.substring(1);
    }

    /** Begins; false if it is on its way already. */
    boolean begin(String what) {
        return inFlight.add(what);
    }

    /** It has been carried, or was given up and may be tried again. */
    void onDone(String what) {
        inFlight.remove(what);
    }

    int inFlight() {
        return inFlight.size();
    }
}
