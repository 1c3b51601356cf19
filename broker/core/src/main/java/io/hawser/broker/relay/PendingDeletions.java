package io.hawser.broker.relay;

import io.hawser.core.collection.EvictingMap;
import io.hawser.core.model.TransferKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Transfers whose deletion is under way: being looked up, waiting for their {@link RelayRecord.Forgotten} to become durable, and the
 * latest deleted ones. A look-up that began earlier may still show those.
 *
 * <p>Thread: the relay's loop.
 */
final class PendingDeletions {
    private static final int MAX_LATELY = 1024;

    private final Set<TransferKey> lookedUp = new HashSet<>();
    private final Map<TransferKey, List<Runnable>> underWay = new HashMap<>();
    private final Set<TransferKey> lately = EvictingMap.newSet(MAX_LATELY);

    /** It is going to be forgotten, if a look-up shows that it is still incomplete. */
    void lookUp(TransferKey key) {
        lookedUp.add(key);
    }

    /** Its commit is on its way to the store, so what a look-up shows may be older. */
    void committing(TransferKey key) {
        lookedUp.remove(key);
    }

    /** The look-up has an answer. Whether that counts. */
    boolean lookedUp(TransferKey key) {
        return lookedUp.remove(key);
    }

    void begin(TransferKey key) {
        underWay.put(key, new ArrayList<>());
        lately.add(key);
    }

    boolean isUnderWay(TransferKey key) {
        return underWay.containsKey(key);
    }

    /** Runs {@code task} when the record is durable; only while it {@link #isUnderWay}. */
    void whenDone(TransferKey key, Runnable task) {
        underWay.computeIfAbsent(key, unused -> new ArrayList<>()).add(task);
    }

    /** The record is durable. */
    void done(TransferKey key) {
        List<Runnable> waiting = underWay.remove(key);
        if (waiting != null) {
            waiting.forEach(Runnable::run);
        }
    }

    /** Whether what a look-up shows of it may be from before. */
    boolean mayShowOld(TransferKey key) {
        return lately.contains(key);
    }

    /** Its publisher learned that nothing is here and has announced it again: look-ups from now on show the new one. */
    void announced(TransferKey key) {
        lately.remove(key);
    }
}
