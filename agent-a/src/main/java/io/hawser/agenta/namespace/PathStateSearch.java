package io.hawser.agenta.namespace;

import io.hawser.core.model.Manifest;
import io.hawser.core.model.PathOverlap;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.store.spool.Spool;
import io.hawser.store.spool.TransferSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Finds what is at one name: goes back through what was accepted here and touches it, newest first. After a rename the search
 * continues at the older name.
 *
 * <p>Thread: the loop.
 */
final class PathStateSearch {
    private final Function<String, List<TransferSnapshot>> touching;
    /** The names of what is wanted, the oldest first. */
    private final List<String> names = new ArrayList<>(1);

    private String wanted;
    private long before = Long.MAX_VALUE;
    private OptionalLong modified = OptionalLong.empty();
    private boolean renamedSomewhere;
    private boolean reused;

    private PathStateSearch(String name, Function<String, List<TransferSnapshot>> touching) {
        this.touching = touching;
        this.wanted = name;
        this.names.add(name);
    }

    static PathState at(Spool spool, Namespace.Place place) {
        return at(place.name(), name -> spool.touching(place.topic(), name));
    }

    /** {@code touching}: what was accepted and touches a name or a directory above it, the newest first. */
    static PathState at(String name, Function<String, List<TransferSnapshot>> touching) {
        return new PathStateSearch(name, touching).run();
    }

    private PathState run() {
        String asked;
        do {
            asked = wanted;
            reused = false;
            for (TransferSnapshot state : touching.apply(wanted)) {
                if (!NamesAfterTransfers.hasEffect(state)) {
                    continue;
                }
                if (state.manifest().number() > before) {
                    reused |= brings(state.manifest(), wanted);
                } else if (state.manifest().number() < before) {
                    PathState found = look(state);
                    if (found != null) {
                        return found;
                    }
                    if (!asked.equals(wanted)) {
                        break;
                    }
                }
            }
        } while (!asked.equals(wanted));
        return new PathState.AtFarEnd(names, modified, renamedSomewhere, reused);
    }

    /** Whether something is at {@code name} after that transfer. */
    private static boolean brings(Manifest manifest, String name) {
        return switch (manifest.kind()) {
            case FILE, PATCH, MAKE_DIRECTORY -> PathOverlap.isAtOrBelow(manifest.name(), name);
            case RENAME -> PathOverlap.overlap(NamesAfterTransfers.renamedTo(manifest), name);
            case DELETE, REMOVE_DIRECTORY, SET_TIME, SET_MODE, MESSAGE -> false;
        };
    }

    /** What this one makes of the name, or null if the search continues. */
    private @Nullable PathState look(TransferSnapshot state) {
        Manifest manifest = state.manifest();
        boolean same = manifest.name().equals(wanted);
        boolean within = PathOverlap.isAtOrBelow(wanted, manifest.name());
        switch (manifest.kind()) {
            case FILE, PATCH, MAKE_DIRECTORY -> {
                return same ? new PathState.Held(state, modified) : null;
            }
            case DELETE -> {
                return within ? new PathState.Gone() : null;
            }
            case REMOVE_DIRECTORY -> {
                // Below it only the far end knows: it does not remove a directory that is not empty, and may have files
                // that this node never saw.
                return same ? new PathState.Gone() : null;
            }
            case RENAME -> {
                String target = NamesAfterTransfers.renamedTo(manifest);
                if (PathOverlap.isAtOrBelow(wanted, target)) {
                    wanted = manifest.name() + wanted.substring(target.length());
                    names.add(0, wanted);
                    before = manifest.number();
                    renamedSomewhere |=
                            state.receipts().stream().anyMatch(receipt -> receipt.status() == ReceiptStatus.DELIVERED);
                    return null;
                }
                return within ? new PathState.Gone() : null;
            }
            case SET_TIME -> {
                if (same && modified.isEmpty()) {
                    modified = NamesAfterTransfers.modified(manifest);
                }
                return null;
            }
            default -> {
                return null; // modes and messages say nothing of names
            }
        }
    }
}
