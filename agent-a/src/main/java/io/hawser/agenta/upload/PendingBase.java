package io.hawser.agenta.upload;

import io.hawser.agenta.namespace.NamesAfterTransfers;
import io.hawser.agenta.namespace.Namespace;
import io.hawser.agenta.namespace.NamespaceService;
import io.hawser.agenta.namespace.PathState;
import io.hawser.core.model.Commit;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.PathOverlap;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferKind;
import io.hawser.store.spool.Spool;
import io.hawser.store.spool.TransferSnapshot;
import java.util.Comparator;
import java.util.Optional;

/**
 * The file on its way from here that a patch can queue behind.
 *
 * <p>Thread: the loop.
 */
final class PendingBase {
    private PendingBase() {}

    static boolean isComingIn(Spool spool, Namespace.Place place) {
        return !spool.comingIn(place.topic(), place.name()).isEmpty();
    }

    /**
     * The commit of the file that is at {@code place}, if it is whole and nothing after it changes more than its name and time, nor
     * comes in.
     */
    static Optional<Commit> at(NamespaceService names, Namespace.Place place) {
        if (!(names.pending().stateAt(place) instanceof PathState.Held here)) {
            return Optional.empty();
        }
        Manifest file = here.transfer().manifest();
        return file.kind() == TransferKind.FILE && isPlain(names.spool(), file, place.name())
                ? Optional.ofNullable(here.transfer().commit())
                : Optional.empty();
    }

    /** Follows the file from name to name; what was uploaded to its older names since is another one. */
    private static boolean isPlain(Spool spool, Manifest file, String wanted) {
        String name = file.name();
        Optional<Manifest> next = next(spool, file.topic(), name, file.number());
        long since = file.number();
        while (next.isPresent()) {
            Manifest behind = next.get();
            if (isWrittenBetween(spool, file.topic(), name, since, behind.number())) {
                return false;
            }
            since = behind.number();
            if (behind.kind() == TransferKind.RENAME && PathOverlap.isAtOrBelow(name, behind.name())) {
                name = NamesAfterTransfers.renamedTo(behind)
                        + name.substring(behind.name().length());
            } else if (behind.kind() != TransferKind.RENAME && behind.kind() != TransferKind.SET_TIME) {
                return false;
            }
            next = next(spool, file.topic(), name, behind.number());
        }
        return name.equals(wanted) && !isWrittenBetween(spool, file.topic(), name, since, Long.MAX_VALUE);
    }

    private static boolean isWrittenBetween(Spool spool, Topic topic, String name, long since, long before) {
        return spool.comingIn(topic, name).stream()
                .mapToLong(coming -> coming.manifest().number())
                .anyMatch(number -> number > since && number < before);
    }

    private static Optional<Manifest> next(Spool spool, Topic topic, String name, long behind) {
        return spool.touching(topic, name).stream()
                .map(TransferSnapshot::manifest)
                .filter(manifest -> manifest.number() > behind)
                .min(Comparator.comparingLong(Manifest::number));
    }
}
