package io.hawser.store.spool;

import io.hawser.core.model.PathOverlap;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferId;
import io.hawser.core.model.TransferKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The active uploads, and those not yet journaled, which are journaled when a newer transfer touches their path. The latter
 * get their first record when a newer transfer touches one of their paths: so the next hop hears of the older first, and keeps
 * the newer back until the older is committed (Order by path).
 *
 * <p>Thread: the loop.
 */
final class ActiveUploads {
    private final Map<TransferId, DiskUpload> active = new HashMap<>();
    private final Set<DiskUpload> held = new LinkedHashSet<>();

    void began(DiskUpload upload) {
        active.put(upload.key().id(), upload);
        if (upload.isHeld()) {
            held.add(upload);
        }
    }

    void opened(DiskUpload upload) {
        held.remove(upload);
    }

    void ended(DiskUpload upload) {
        held.remove(upload);
        active.remove(upload.key().id());
    }

    @Nullable
    DiskUpload get(TransferKey key) {
        return active.get(key.id());
    }

    /** Whether an upload broke off, though that may not be durable yet. */
    boolean isIncomplete(SpoolTransfer transfer) {
        return transfer.milestones().isBorn()
                && transfer.commit() == null
                && transfer.source() == null
                && transfer.milestones().endWanted() == null
                && !transfer.phase().isFinal()
                && get(transfer.key()) == null;
    }

    /** A copy. */
    List<DiskUpload> all() {
        return List.copyOf(active.values());
    }

    /** A newer transfer touches {@code paths}: what is older goes first. */
    void openOlder(Topic topic, List<String> paths) {
        if (held.isEmpty()) {
            return;
        }
        for (DiskUpload upload : new ArrayList<>(held)) {
            if (upload.manifest().topic().equals(topic)
                    && touch(upload.manifest().paths(), paths)) {
                upload.open();
            }
        }
    }

    /** Whether two sets of paths share one, or one path contains another. */
    static boolean touch(List<String> some, List<String> others) {
        for (String one : some) {
            for (String other : others) {
                if (one.equals(other) || contains(one, other) || contains(other, one)) {
                    return true;
                }
            }
        }
        return false;
    }

    private static boolean contains(String directory, String path) {
        return directory.isEmpty() || PathOverlap.isBelow(path, directory);
    }
}
