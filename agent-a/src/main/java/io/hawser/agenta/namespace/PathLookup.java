package io.hawser.agenta.namespace;

import io.hawser.agenta.namespace.Namespace.Place;
import io.hawser.core.ftp.FtpPath;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Attributes;
import io.hawser.core.model.TransferKind;
import io.hawser.core.remote.RemoteFile;
import io.hawser.store.spool.Spool;
import io.hawser.store.spool.TransferSnapshot;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
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
    private final PendingNames pending;
    private final CreatedDirectories knownDirectories;
    private final FarNamespace far;
    private final boolean partialListings;

    PathLookup(
            Namespace namespace,
            Spool spool,
            PendingNames pending,
            CreatedDirectories knownDirectories,
            FarNamespace far,
            boolean partialListings) {
        this.namespace = namespace;
        this.spool = spool;
        this.pending = pending;
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
     * @param farPlace where it has it: perhaps another name than the client's, while a rename is on its way
     */
    public record Found(
            PathFacts facts,
            @Nullable TransferSnapshot own,
            @Nullable RemoteFile remote,
            @Nullable Place farPlace) {
        static Found of(PathFacts facts) {
            return new Found(facts, null, null, null);
        }

        /** The upload whose copy here is the whole file, or null. */
        public @Nullable TransferSnapshot copy() {
            return own != null && own.contentKept() && own.manifest().kind() == TransferKind.FILE ? own : null;
        }
    }

    /**
     * Looks for what is told about {@code path} to {@code account}: of its own upload that broke off, how far it came; to others nothing
     * of that. If there is nothing to tell of its upload that broke off, an older file of that name is not told about: who continues
     * after that one's size would mix two files. While the far end cannot be asked, what was delivered a while ago is not told about either:
     * it may be gone there.
     *
     * @param missing see {@link #find}
     */
    public void findFacts(
            FtpPath path, String account, Consumer<Found> found, BiConsumer<ErrorCode, RequestFailure> missing) {
        Optional<PathFacts> incomplete = pending.incomplete(path, account);
        if (incomplete.isPresent()) {
            found.accept(Found.of(incomplete.get()));
        } else if (hasUntoldUpload(path, account)) {
            Consumer<Found> older = there -> {
                if (there.facts().directory()) {
                    found.accept(there);
                } else {
                    missing.accept(
                            ErrorCode.STORAGE_FAILED,
                            RequestFailure.busy(
                                    "its upload broke off and cannot be continued; upload the file from its beginning"));
                }
            };
            new Search(path, account, partialListings, older, missing).find();
        } else {
            new Search(path, account, partialListings, found, missing).find();
        }
    }

    private boolean hasUntoldUpload(FtpPath path, String account) {
        return namespace
                .place(path)
                .flatMap(place -> spool.findIncomplete(account, place.topic(), place.name()))
                .filter(state -> state.manifest().kind() == TransferKind.FILE)
                .isPresent();
    }

    /**
     * Looks for {@code path} on behalf of {@code account}. While the far end cannot be asked, a directory that was there a while ago counts as
     * there. One of the two is called.
     *
     * @param missing nothing is there, or it cannot be known now: {@code NOT_FOUND}, {@code UNREACHABLE} if it is not known, or another
     */
    public void find(
            FtpPath path, String account, Consumer<Found> found, BiConsumer<ErrorCode, RequestFailure> missing) {
        new Search(path, account, true, found, missing).find();
    }

    /** Finds the path without waiting for a far end that was away a moment ago: a tree of many directories then takes no time. */
    public void findUnlessAway(
            FtpPath path, String account, Consumer<Found> found, BiConsumer<ErrorCode, RequestFailure> missing) {
        Search search = new Search(path, account, true, found, missing);
        Optional<Place> place = namespace.place(path);
        Optional<Refusal> away = place.filter(asked -> pending.stateAt(asked) instanceof PathState.AtFarEnd)
                .flatMap(asked -> far.whyAway(asked.topic()));
        if (away.isPresent()) {
            search.notAtTheFarEnd(place.orElseThrow(), away.get());
        } else {
            search.find();
        }
    }

    /** The far end has not answered for {@code path} in time: for a while {@link #findUnlessAway} takes it for away. */
    public void unanswered(FtpPath path) {
        namespace.place(path).ifPresent(place -> far.unanswered(place.topic()));
    }

    /** The same as {@link #find}, but a "there" or "not there" that was remembered is not enough. */
    public void findAnew(
            FtpPath path, String account, Consumer<Found> found, BiConsumer<ErrorCode, RequestFailure> missing) {
        namespace.place(path).ifPresent(far::forget);
        find(path, account, found, missing);
    }

    /** The file at the far end as a client last heard of it, if nothing is on its way there. It may have changed since. */
    public Optional<RemoteFile> told(FtpPath path) {
        return namespace
                .place(path)
                .filter(place -> pending.stateAt(place) instanceof PathState.AtFarEnd there && !there.isBeingRenamed())
                .flatMap(far::lastTold)
                .filter(file -> file.kind() == RemoteFile.Kind.FILE);
    }

    /** One search. {@code remembered}: a directory that was there a while ago counts as there, while the far end cannot be asked. */
    private final class Search {
        private final FtpPath path;
        private final String account;
        private final boolean remembered;
        private final Consumer<Found> found;
        private final BiConsumer<ErrorCode, RequestFailure> missing;
        private boolean askedAgain;

        Search(
                FtpPath path,
                String account,
                boolean remembered,
                Consumer<Found> found,
                BiConsumer<ErrorCode, RequestFailure> missing) {
            this.path = path;
            this.account = account;
            this.remembered = remembered;
            this.found = found;
            this.missing = missing;
        }

        void find() {
            Optional<Place> place = namespace.place(path);
            if (path.isRoot() || (place.isPresent() && place.get().isTopic())) {
                found.accept(Found.of(PathFacts.directory(path.name(), 0)));
            } else if (place.isEmpty()) {
                missing.accept(ErrorCode.NOT_FOUND, RequestFailure.notFound());
            } else {
                find(place.get(), pending.stateAt(place.get()));
            }
        }

        private void find(Place place, PathState state) {
            if (state instanceof PathState.Held here) {
                PathFacts facts = PendingNames.facts(path.name(), here.transfer(), here.modified());
                found.accept(new Found(facts, here.transfer(), null, null));
            } else if (state instanceof PathState.AtFarEnd there) {
                askTheFarEnd(place, there);
            } else {
                notAtTheFarEnd(place, new Refusal(ErrorCode.NOT_FOUND, RequestFailure.NO_SUCH_FILE));
            }
        }

        private void askTheFarEnd(Place place, PathState.AtFarEnd there) {
            boolean touchedBelow = isTouchedBelow(place);
            RenamedPathQuestion.Answer<RemoteFile> answer = (farPlace, outcome) -> {
                Refusal refusal = outcome.refusal();
                boolean gone = refusal != null && refusal.code() == ErrorCode.NOT_FOUND;
                if (gone && touchedBelow && !isTouchedBelow(place) && !askedAgain) {
                    // What makes it a directory has arrived there, perhaps after the answer was given.
                    askedAgain = true;
                    find();
                } else {
                    answered(place, there, farPlace, outcome);
                }
            };
            if (there.isBeingRenamed()) {
                new RenamedPathQuestion<RemoteFile>(
                                far, place, there, (asked, done) -> far.stat(asked, false, done), answer)
                        .ask();
            } else {
                boolean settled = spool.touching(place.topic(), place.name()).isEmpty();
                far.stat(place, settled, outcome -> answer.heard(place, outcome));
            }
        }

        private void answered(Place place, PathState.AtFarEnd there, Place farPlace, Outcome<RemoteFile> outcome) {
            Refusal refusal = outcome.refusal();
            if (refusal == null) {
                RemoteFile file = outcome.get();
                PathFacts facts = PathFacts.of(file).named(path.name()).modified(there.modified());
                found.accept(new Found(facts, null, file, farPlace));
            } else {
                boolean proves = refusal.code() != ErrorCode.NOT_FOUND || !spool.hasUnfollowed(place.topic());
                notAtTheFarEnd(place, proves ? refusal : RequestFailure.unfollowed());
            }
        }

        private void notAtTheFarEnd(Place place, Refusal refusal) {
            boolean gone = refusal.code() == ErrorCode.NOT_FOUND;
            boolean unheard = RequestFailure.isUnheard(refusal);
            Optional<PathFacts> known = unheard && remembered ? pending.find(path) : Optional.empty();
            if (known.isPresent()) {
                found.accept(Found.of(known.get()));
            } else if ((unheard && remembered && knownDirectories.contains(path))
                    || ((gone || unheard) && isDirectoryOnItsWay(path, place))) {
                found.accept(Found.of(PathFacts.directory(path.name(), 0)));
            } else if (gone && isComingIn(place, account)) {
                missing.accept(
                        ErrorCode.STORAGE_FAILED, RequestFailure.busy("its upload is not complete; try again later"));
            } else {
                boolean nobodyCanSay = unheard || RequestFailure.isOfClosed(refusal);
                missing.accept(
                        nobodyCanSay ? ErrorCode.UNREACHABLE : refusal.code(), RequestFailure.ofQuestion(refusal));
            }
        }
    }

    private boolean isDirectoryOnItsWay(FtpPath path, Place place) {
        return isTouchedBelow(place) && !pending.listAccepted(path).isEmpty();
    }

    private boolean isTouchedBelow(Place place) {
        return spool.isTouchedBelow(place.topic(), place.name());
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
