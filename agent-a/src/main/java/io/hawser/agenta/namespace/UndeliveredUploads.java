package io.hawser.agenta.namespace;

import io.hawser.core.model.Attributes;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import io.hawser.store.spool.Spool;
import io.hawser.store.spool.TransferSnapshot;
import java.util.List;

/**
 * What an account has uploaded to one name and no far end has delivered yet: before the name is deleted, it is cancelled, so that nothing of it
 * travels any more. With a rename of that name on its way nothing is cancelled, since the rename would fail.
 *
 * <p>Thread: the loop.
 */
public record UndeliveredUploads(Spool spool, String account, Namespace.Place place) {
    /** Cancels them: that is durable before anything that the spool accepts from now on. Whether there are any. */
    public boolean cancel(String reason) {
        List<TransferKey> keys = keys();
        keys.forEach(key -> spool.recall(key, reason, outcome -> {}));
        return !keys.isEmpty();
    }

    private List<TransferKey> keys() {
        List<TransferSnapshot> touching = spool.touching(place.topic(), place.name()).stream()
                .filter(state -> state.manifest().paths().contains(place.name()))
                .toList();
        boolean renamed = touching.stream().anyMatch(state -> state.manifest().kind() == TransferKind.RENAME);
        return renamed
                ? List.of()
                : touching.stream()
                        .map(TransferSnapshot::manifest)
                        .filter(this::isOwn)
                        .map(Manifest::key)
                        .toList();
    }

    private boolean isOwn(Manifest manifest) {
        boolean isOfTheFile =
                switch (manifest.kind()) {
                    case FILE, PATCH, SET_TIME, SET_MODE -> true;
                    case MAKE_DIRECTORY, REMOVE_DIRECTORY, DELETE, RENAME, MESSAGE -> false;
                };
        return isOfTheFile && account.equals(manifest.attributes().get(Attributes.ACCOUNT));
    }
}
