package io.hawser.agenta.namespace;

import io.hawser.core.ftp.FtpPath;
import io.hawser.core.model.TransferKind;
import io.hawser.store.spool.Spool;
import io.hawser.store.spool.TransferSnapshot;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What this node can say of the namespace by itself: the files and directories that its spool knows, under the names that the
 * later operations have given them. A name that is not among them may well exist at the far end.
 *
 * <p>Thread: the loop.
 */
public final class PendingNames {
    private final Namespace namespace;
    private final Spool spool;

    PendingNames(Namespace namespace, Spool spool) {
        this.namespace = namespace;
        this.spool = spool;
    }

    public PathState stateAt(Namespace.Place place) {
        return PathStateSearch.at(spool, place);
    }

    /** What is known of {@code path}: a complete file, or a directory. */
    public Optional<PathFacts> find(FtpPath path) {
        Optional<Namespace.Place> place = namespace.place(path);
        if (path.isRoot() || (place.isPresent() && place.get().isTopic())) {
            return Optional.of(PathFacts.directory(path.name(), 0));
        }
        Optional<PathFacts> itself = findTransferred(path);
        if (itself.isPresent() || place.isEmpty()) {
            return itself;
        }
        return list(path).isEmpty() ? Optional.empty() : Optional.of(PathFacts.directory(path.name(), 0));
    }

    /** What was transferred under exactly that name: a complete file, or a directory that was made. */
    public Optional<PathFacts> findTransferred(FtpPath path) {
        return namespace
                .place(path)
                .filter(place -> !place.isTopic())
                .map(this::stateAt)
                .flatMap(standing -> standing instanceof PathState.Held held
                        ? Optional.of(facts(path.name(), held.transfer(), held.modified()))
                        : Optional.empty());
    }

    /** The upload of {@code account} to {@code path} that broke off, as far as it came; empty if there is none. */
    Optional<PathFacts> incomplete(FtpPath path, String account) {
        return namespace
                .place(path)
                .flatMap(place -> spool.findIncomplete(account, place.topic(), place.name()))
                .flatMap(state -> incomplete(spool, path.name(), state));
    }

    static Optional<PathFacts> incomplete(Spool spool, String name, TransferSnapshot state) {
        OptionalLong size = AdvertisedSizes.of(spool, state);
        return size.isPresent()
                ? Optional.of(PathFacts.file(name, size.getAsLong(), modifiedMillis(state)))
                : Optional.empty();
    }

    /** The entries of the directory {@code path}, by name, also those that have been delivered. Of each name the newest. */
    public Collection<PathFacts> list(FtpPath path) {
        return list(path, true);
    }

    /** Those of them that have not ended: the far end may not have them yet. */
    public Collection<PathFacts> listAccepted(FtpPath path) {
        return list(path, false);
    }

    private Collection<PathFacts> list(FtpPath path, boolean alsoEnded) {
        Optional<Namespace.Place> place = namespace.place(path);
        if (place.isPresent()) {
            PendingDirectory directory = directory(place.get());
            return alsoEnded ? directory.all() : directory.accepted();
        }
        return path.isRoot()
                ? PendingDirectory.topics(
                        spool, state -> alsoEnded || !state.phase().isFinal())
                : List.of();
    }

    /** What is held of the directory {@code place} now. */
    PendingDirectory directory(Namespace.Place place) {
        return PendingDirectory.of(spool, place);
    }

    static PathFacts facts(String name, TransferSnapshot state, OptionalLong modified) {
        long millis = modified.orElse(modifiedMillis(state));
        return state.manifest().kind() == TransferKind.MAKE_DIRECTORY
                ? PathFacts.directory(name, millis)
                : PathFacts.file(name, NamesAfterTransfers.resultBytes(state), millis);
    }

    static long modifiedMillis(TransferSnapshot state) {
        return NamesAfterTransfers.modified(state.manifest())
                .orElse(state.key().id().epochMillis());
    }
}
