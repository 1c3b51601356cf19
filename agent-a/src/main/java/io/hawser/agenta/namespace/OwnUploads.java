package io.hawser.agenta.namespace;

import io.hawser.agenta.namespace.Namespace.Place;
import io.hawser.core.model.Attributes;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.PathOverlap;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.TransferKind;
import io.hawser.store.spool.Spool;
import io.hawser.store.spool.SpoolPhase;
import io.hawser.store.spool.TransferSnapshot;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Checks whether the file at a path was uploaded by the given account, following renames. Other changes of a name, such as its
 * time or a patch, make nothing one's own; nor does MKD, since whether it made the directory or found it there is not known
 * here.
 *
 * <p>Thread: the loop.
 */
record OwnUploads(Spool spool, PendingNames pending, String account) {
    /** Whether such a file is at {@code place}. */
    boolean has(Place place) {
        PathState state = pending.stateAt(place);
        if (state instanceof PathState.Held here && isFile(here.transfer())) {
            return isOwn(here.transfer());
        }
        if (state instanceof PathState.AtFarEnd far && far.name().equals(place.name())) {
            Optional<TransferSnapshot> last = spool.lastEnded(place.topic(), place.name());
            boolean known = last.isEmpty() || (isFile(last.get()) && NamesAfterTransfers.hasEffect(last.get()));
            if (known && !directoriesChangedSince(place, last)) {
                return last.isPresent() && isOwn(last.get());
            }
        }
        return !(state instanceof PathState.Gone) && hasInAllThatIsKnown(place);
    }

    /** Whether something was done to a directory above since: perhaps it was renamed, and all that is in it with it. */
    private boolean directoriesChangedSince(Place place, Optional<TransferSnapshot> last) {
        long number = last.map(state -> state.manifest().number()).orElse(0L);
        String name = place.name();
        for (int slash = name.indexOf('/'); slash >= 0; slash = name.indexOf('/', slash + 1)) {
            Optional<TransferSnapshot> above = spool.lastEnded(place.topic(), name.substring(0, slash));
            if (above.isPresent() && above.get().manifest().number() > number) {
                return true;
            }
        }
        return false;
    }

    /** Goes back through all that is known of the topic, newest first; that costs more, and is seldom needed. */
    private boolean hasInAllThatIsKnown(Place place) {
        List<TransferSnapshot> newestFirst = spool.states().stream()
                .filter(state -> state.manifest().topic().equals(place.topic()) && NamesAfterTransfers.hasEffect(state))
                .sorted(Comparator.comparingLong(
                                (TransferSnapshot state) -> state.manifest().number())
                        .reversed())
                .toList();
        String wanted = place.name();
        for (TransferSnapshot state : newestFirst) {
            Manifest manifest = state.manifest();
            switch (manifest.kind()) {
                case FILE, MAKE_DIRECTORY -> {
                    if (manifest.name().equals(wanted)) {
                        return isFile(state) && isOwn(state);
                    }
                }
                case DELETE, REMOVE_DIRECTORY -> {
                    if (PathOverlap.isAtOrBelow(wanted, manifest.name())) {
                        return false;
                    }
                }
                case RENAME -> {
                    String target = NamesAfterTransfers.renamedTo(manifest);
                    if (PathOverlap.isAtOrBelow(wanted, target)) {
                        wanted = manifest.name() + wanted.substring(target.length());
                    } else if (PathOverlap.isAtOrBelow(wanted, manifest.name())) {
                        return false;
                    }
                }
                case PATCH, SET_TIME, SET_MODE, MESSAGE -> {}
            }
        }
        return false;
    }

    private static boolean isFile(TransferSnapshot state) {
        return state.manifest().kind() == TransferKind.FILE;
    }

    /** Whether this account has uploaded it, and it has not ended otherwise than in its delivery. */
    private boolean isOwn(TransferSnapshot file) {
        return account.equals(file.manifest().attributes().get(Attributes.ACCOUNT))
                && (!file.phase().isFinal()
                        || (file.phase() == SpoolPhase.FINISHED
                                && file.receipts().stream()
                                        .allMatch(receipt -> receipt.status() == ReceiptStatus.DELIVERED)));
    }
}
