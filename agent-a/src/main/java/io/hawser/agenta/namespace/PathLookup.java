package io.hawser.agenta.namespace;

import io.hawser.agenta.namespace.Namespace.Place;
import io.hawser.core.ftp.FtpPath;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Attributes;
import io.hawser.core.model.TransferKind;
import io.hawser.core.remote.RemoteFile;
import io.hawser.store.spool.Spool;
import io.hawser.store.spool.TransferState;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What is at a path: first what this node has accepted and not yet delivered, then what the far end says. What is on its way
 * is never answered with "No such file": while its upload is not complete the answer is 450.
 *
 * <p>Thread: the loop. Answers may come inside the call.
 */
public final class PathLookup {
    private final Namespace namespace;
    private final Spool spool;
    private final PendingNames held;
    private final CreatedDirectories knownDirectories;
    private final FarNamespace far;
    private final boolean partialListings;

    PathLookup(
            Namespace namespace,
            Spool spool,
            PendingNames held,
            CreatedDirectories knownDirectories,
            FarNamespace far,
            boolean partialListings) {
        this.namespace = namespace;
        this.spool = spool;
        this.held = held;
        this.knownDirectories = knownDirectories;
        this.far = far;
        this.partialListings = partialListings;
    }

    /**
     * What was found.
     *
     * @param facts for clients
     * @param own the accepted upload whose copy is asked, or null
     * @param remote what the far end has, or null
     * @param farPlace where it has it: another name than the client's, while a rename is on its way
     */
    public record Found(
            PathFacts facts,
            @Nullable TransferState own,
            @Nullable RemoteFile remote,
            @Nullable Place farPlace) {
        static Found of(PathFacts facts) {
            return new Found(facts, null, null, null);
        }

        /** The upload whose copy here is the whole file, or null. */
        public @Nullable TransferState copy() {
            return own != null && own.contentKept() && own.manifest().kind() == TransferKind.FILE ? own : null;
        }
    }

    /** What hears the answer: one of the two. */
    public interface Listener {
        /** That is there. */
        void found(Found found);

        /**
         * Nothing does, or it cannot be known now.
         *
         * @param why {@code NOT_FOUND}, {@code UNREACHABLE} if it is not known, or another
         * @param failure for the client
         */
        void missing(ErrorCode why, RequestFailure failure);
    }

    /**
     * Looks for what is told about {@code path} to {@code account}: of its own upload that broke off, how far it came; to others nothing
     * of that. If its upload broke off before there was anything to tell of it, an older file of that name is not told about: who continues
     * after that one's size would mix two files. While the far end cannot be asked, what was delivered a while ago is not told about either:
     * it may be gone there.
     */
    public void findFacts(FtpPath path, String account, Listener listener) {
        Optional<PendingNames.Entry> incomplete = held.incomplete(path, account);
        if (incomplete.isPresent()) {
            listener.found(Found.of(PathFacts.of(incomplete.get())));
        } else if (hasHardlyBegun(path, account)) {
            find(path, account, partialListings, new OlderFile(listener));
        } else {
            find(path, account, partialListings, listener);
        }
    }

    private boolean hasHardlyBegun(FtpPath path, String account) {
        return namespace
                .place(path)
                .flatMap(place -> spool.findIncomplete(account, place.topic(), place.name()))
                .filter(state -> state.manifest().kind() == TransferKind.FILE)
                .isPresent();
    }

    /** Hears what stands where an upload of the same account broke off at its beginning. */
    private record OlderFile(Listener told) implements Listener {
        @Override
        public void found(Found found) {
            if (found.facts().directory()) {
                told.found(found);
            } else {
                missing(
                        ErrorCode.STORAGE_FAILED,
                        RequestFailure.busy("its upload broke off at its beginning; upload the file from there"));
            }
        }

        @Override
        public void missing(ErrorCode why, RequestFailure failure) {
            told.missing(why, failure);
        }
    }

    /**
     * Looks for {@code path} on behalf of {@code account}. While the far end cannot be asked, a directory that was there a while ago counts as
     * there.
     */
    public void find(FtpPath path, String account, Listener listener) {
        find(path, account, true, listener);
    }

    /** @param remembered whether a directory that was there a while ago counts as there, while the far end cannot be asked */
    private void find(FtpPath path, String account, boolean remembered, Listener listener) {
        Optional<Place> place = namespace.place(path);
        if (path.isRoot() || (place.isPresent() && place.get().isTopic())) {
            listener.found(Found.of(PathFacts.directory(path.name())));
            return;
        }
        if (place.isEmpty()) {
            listener.missing(ErrorCode.NOT_FOUND, RequestFailure.notFound());
            return;
        }
        PathState standing = held.stateAt(place.get());
        if (standing instanceof PathState.Held here) {
            listener.found(new Found(
                    PathFacts.of(PendingNames.describe(path, here.transfer(), here.modified())),
                    here.transfer(),
                    null,
                    null));
        } else if (standing instanceof PathState.AtFarEnd there) {
            askTheFarEdge(path, place.get(), account, remembered, there, listener);
        } else {
            Refusal gone = new Refusal(ErrorCode.NOT_FOUND, RequestFailure.NO_SUCH_FILE);
            notAtTheFarEdge(path, place.get(), account, remembered, gone, listener);
        }
    }

    private void askTheFarEdge(
            FtpPath path,
            Place place,
            String account,
            boolean remembered,
            PathState.AtFarEnd there,
            Listener listener) {
        Place farPlace = new Place(place.topic(), there.name());
        boolean settled = farPlace.equals(place)
                && spool.touching(place.topic(), place.name()).isEmpty();
        far.stat(farPlace, settled, outcome -> {
            Refusal refusal = outcome.refusal();
            if (refusal == null) {
                RemoteFile file = outcome.get();
                PathFacts facts = PathFacts.of(file).named(path.name()).modified(there.modified());
                listener.found(new Found(facts, null, file, farPlace));
            } else if (refusal.code() == ErrorCode.NOT_FOUND && !farPlace.equals(place)) {
                // the rename has been made there just now
                askTheFarEdge(
                        path,
                        place,
                        account,
                        remembered,
                        new PathState.AtFarEnd(place.name(), there.modified()),
                        listener);
            } else {
                notAtTheFarEdge(path, place, account, remembered, refusal, listener);
            }
        });
    }

    /** The same, but a far end that was away a moment ago is not waited for anew: a tree of many directories takes no time then. */
    public void findUnlessAway(FtpPath path, String account, Listener listener) {
        Optional<Place> place = namespace.place(path);
        Optional<Refusal> away = place.filter(asked -> held.stateAt(asked) instanceof PathState.AtFarEnd)
                .flatMap(asked -> far.whyAway(asked.topic()));
        if (away.isPresent()) {
            notAtTheFarEdge(path, place.orElseThrow(), account, true, away.get(), listener);
        } else {
            find(path, account, listener);
        }
    }

    /** The far end has not answered for {@code path} in time: for a while {@link #findUnlessAway} takes it for away. */
    public void unanswered(FtpPath path) {
        namespace.place(path).ifPresent(place -> far.unanswered(place.topic()));
    }

    /** The same, but a "there" or "not there" that was remembered is not enough. */
    public void findAnew(FtpPath path, String account, Listener listener) {
        namespace.place(path).ifPresent(far::forget);
        find(path, account, listener);
    }

    /** The file at the far end as a client last heard of it, if nothing is on its way there. It may have changed since. */
    public Optional<RemoteFile> told(FtpPath path) {
        return namespace
                .place(path)
                .filter(place -> held.stateAt(place) instanceof PathState.AtFarEnd there
                        && there.name().equals(place.name()))
                .flatMap(far::lastTold)
                .filter(file -> file.kind() == RemoteFile.Kind.FILE);
    }

    private void notAtTheFarEdge(
            FtpPath path, Place place, String account, boolean remembered, Refusal refusal, Listener listener) {
        boolean missing = refusal.code() == ErrorCode.NOT_FOUND;
        boolean unheard = RequestFailure.isUnheard(refusal);
        Optional<PendingNames.Entry> known = unheard && remembered ? held.find(path) : Optional.empty();
        if (known.isPresent()) {
            listener.found(Found.of(PathFacts.of(known.get())));
        } else if ((unheard && remembered && knownDirectories.contains(path))
                || ((missing || unheard) && isDirectoryOnItsWay(path, place))) {
            listener.found(Found.of(PathFacts.directory(path.name())));
        } else if (missing && isComingIn(place, account)) {
            listener.missing(
                    ErrorCode.STORAGE_FAILED, RequestFailure.busy("its upload is not complete; try again later"));
        } else {
            boolean nobodyCanSay = unheard || RequestFailure.isOfClosed(refusal);
            listener.missing(nobodyCanSay ? ErrorCode.UNREACHABLE : refusal.code(), RequestFailure.ofQuestion(refusal));
        }
    }

    private boolean isDirectoryOnItsWay(FtpPath path, Place place) {
        return spool.isTouchedBelow(place.topic(), place.name())
                && !held.listAccepted(path).isEmpty();
    }

    private boolean isComingIn(Place place, String account) {
        return spool.findIncomplete(account, place.topic(), place.name())
                        .filter(state -> AdvertisedSizes.of(spool, state).isPresent())
                        .isPresent()
                || spool.find(place.topic(), place.name())
                        .filter(state -> state.manifest().kind() == TransferKind.FILE && state.commit() == null)
                        .filter(state ->
                                account.equals(state.manifest().attributes().get(Attributes.ACCOUNT)))
                        .isPresent();
    }
}
