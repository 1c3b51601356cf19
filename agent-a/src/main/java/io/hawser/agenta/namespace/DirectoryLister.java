package io.hawser.agenta.namespace;

import io.hawser.agenta.namespace.Namespace.Place;
import io.hawser.agenta.namespace.RequestFailure.Reason;
import io.hawser.core.ftp.FtpPath;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Topic;
import io.hawser.core.remote.RemoteFile;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Asks for the entries of a directory: what the far end lists, and over it what this node has accepted and not yet delivered. A listing
 * that may be incomplete is refused: programs that mirror delete what is not listed. An operator may want it all the same
 * ({@code --partial-listings}); then it has what is known here while the far end is away or silent.
 *
 * <p>Thread: the loop. Answers may come inside the call.
 */
public final class DirectoryLister {
    private final NamespaceService names;
    private final FtpPath path;
    private final String account;
    private final boolean filesToo;
    private final Consumer<Listed> listed;
    private final Consumer<RequestFailure> refused;

    /**
     * @param account sees the entries that this account may see
     * @param filesToo whether a file is listed alone
     * @param listed gets the entries by name, unless {@code refused} is called
     */
    public DirectoryLister(
            NamespaceService names,
            FtpPath path,
            String account,
            boolean filesToo,
            Consumer<Listed> listed,
            Consumer<RequestFailure> refused) {
        this.names = names;
        this.path = path;
        this.account = account;
        this.filesToo = filesToo;
        this.listed = listed;
        this.refused = refused;
    }

    /**
     * A directory's entries.
     *
     * @param lacking why the listing may be incomplete, where an operator allows that; else empty
     */
    public record Listed(Collection<PathFacts> entries, Optional<Refusal> lacking) {
        public String summary() {
            return lacking.map(why -> {
                        String said = why.detail();
                        return said.substring(0, 1).toUpperCase(Locale.ROOT) + said.substring(1)
                                + ": only what was uploaded here is listed, there may be more.";
                    })
                    .orElse("Listing sent.");
        }
    }

    public void ask() {
        Optional<PathFacts> itself = filesToo ? names.pending().incomplete(path, account) : Optional.empty();
        Optional<Place> place = names.place(path);
        if (itself.isPresent()) {
            listed.accept(new Listed(List.of(itself.get()), Optional.empty()));
        } else if (place.isPresent()) {
            ask(place.get());
        } else if (path.isRoot()) {
            root();
        } else {
            refused.accept(RequestFailure.notFound());
        }
    }

    /** The root above the topics. */
    private void root() {
        Collection<PathFacts> held = names.pending().list(path);
        held.forEach(topic -> names.topics().used(new Topic(topic.name())));
        names.topics().whenSettled(lacking -> {
            if (lacking.isPresent()) {
                refused.accept(new RequestFailure(Reason.FAILED, lacking.get()));
            } else {
                listTopics(held);
            }
        });
    }

    private void listTopics(Collection<PathFacts> held) {
        Map<String, PathFacts> byName = new TreeMap<>();
        names.topics().all().forEach(topic -> byName.put(topic.name(), PathFacts.directory(topic.name(), 0)));
        held.forEach(topic -> byName.put(topic.name(), topic));
        listed.accept(new Listed(byName.values(), Optional.empty()));
    }

    private void ask(Place place) {
        PathState state = names.pending().stateAt(place);
        if (state instanceof PathState.Held here && !here.isDirectory()) {
            file();
            return;
        }
        if (names.spool().hasUnfollowed(place.topic()) && !names.options().partialListings()) {
            refused.accept(RequestFailure.ofQuestion(RequestFailure.unfollowed()));
            return;
        }
        Listing listing = new Listing(place, names.pending().directory(place));
        if (state instanceof PathState.Gone) {
            listing.withoutTheFarEnd(place, new Refusal(ErrorCode.NOT_FOUND, RequestFailure.NO_SUCH_FILE));
        } else {
            listing.askTheFarEnd();
        }
    }

    private void file() {
        if (!filesToo) {
            refused.accept(new RequestFailure(Reason.NOT_LISTABLE, RequestFailure.NOT_DIRECTORY));
            return;
        }
        names.paths()
                .findFacts(
                        path,
                        account,
                        found -> listed.accept(new Listed(List.of(found.facts()), Optional.empty())),
                        (why, failure) -> refused.accept(failure));
    }

    private static Collection<PathFacts> merged(List<RemoteFile> remote, Collection<PathFacts> here) {
        if (here.isEmpty()) {
            return remote.stream().map(PathFacts::of).toList();
        }
        Map<String, PathFacts> byName = new TreeMap<>();
        remote.forEach(file -> byName.put(file.name(), PathFacts.of(file)));
        for (PathFacts entry : here) {
            PathFacts there = byName.get(entry.name());
            if (there == null || !entry.directory() || !there.directory()) {
                byName.put(entry.name(), entry);
            }
        }
        return byName.values();
    }

    /** What this node holds, and what the far end adds to it. */
    private final class Listing {
        private final Place place;
        private final PendingDirectory here;
        private final Map<String, PathFacts> incomplete;
        private final Optional<PathState.AtFarEnd> renaming;
        private final boolean touched;

        Listing(Place place, PendingDirectory here) {
            this.place = place;
            this.here = here;
            this.incomplete = here.incomplete(account);
            this.renaming = here.itself() instanceof PathState.AtFarEnd there && there.isBeingRenamed()
                    ? Optional.of(there)
                    : Optional.empty();
            this.touched = renaming.isPresent() || here.isTouched();
        }

        void askTheFarEnd() {
            long changes = names.far().changes();
            RenamedPathQuestion.Answer<List<RemoteFile>> answer = (farPlace, outcome) ->
                    new Listing(place, here.answered(names.far().changes() != changes)).answered(farPlace, outcome);
            if (renaming.isPresent()) {
                new RenamedPathQuestion<List<RemoteFile>>(
                                names.far(),
                                place,
                                renaming.get(),
                                (asked, done) -> names.far().list(asked, false, done),
                                answer)
                        .ask();
            } else {
                names.far().list(place, !touched, outcome -> answer.heard(place, outcome));
            }
        }

        private void answered(Place farPlace, Outcome<List<RemoteFile>> outcome) {
            Refusal refusal = outcome.refusal();
            if (refusal == null) {
                overlay(outcome.get());
            } else if (refusal.code() == ErrorCode.NOT_DIRECTORY) {
                file();
            } else {
                withoutTheFarEnd(farPlace, refusal);
            }
        }

        private void overlay(List<RemoteFile> entries) {
            Optional<Map<String, PathState.AtFarEnd>> renamed = touched ? here.renamedInto() : Optional.of(Map.of());
            if (renamed.isPresent()) {
                withRenamed(
                        stillThere(entries),
                        renamed.get(),
                        all -> found(merged(all, here.accepted()), Optional.empty()));
            } else {
                refused.accept(new RequestFailure(
                        Reason.FAILED,
                        "more than " + PendingDirectory.MAX_RENAMED + " entries are being renamed; try again later"));
            }
        }

        /** Without what was renamed or deleted here and the far end does not know of yet; with the times that were set here. */
        private List<RemoteFile> stillThere(List<RemoteFile> entries) {
            if (!touched) {
                return entries;
            }
            List<RemoteFile> there = new ArrayList<>();
            for (RemoteFile entry : entries) {
                PathState state = here.stateAt(place.child(entry.name()).name());
                if (state instanceof PathState.AtFarEnd far && far.modified().isPresent()) {
                    there.add(entry.modified(far.modified().getAsLong()));
                } else if (!(state instanceof PathState.Gone)) {
                    there.add(entry);
                }
            }
            return there;
        }

        /** With what was renamed into it here and the far end shows under its old name. */
        private void withRenamed(
                List<RemoteFile> entries, Map<String, PathState.AtFarEnd> renamed, Consumer<List<RemoteFile>> done) {
            if (renamed.isEmpty()) {
                done.accept(entries);
                return;
            }
            Map<String, RemoteFile> byName = new TreeMap<>();
            entries.forEach(entry -> byName.put(entry.name(), entry));
            int[] open = {renamed.size()};
            Refusal[] unknown = {null};
            renamed.forEach((name, state) -> statRenamed(place.child(name), state, outcome -> {
                Refusal refusal = outcome.refusal();
                if (refusal == null) {
                    byName.put(name, outcome.get().named(name));
                } else if (refusal.code() != ErrorCode.NOT_FOUND) {
                    unknown[0] = refusal;
                }
                if (--open[0] == 0 && unknown[0] != null) {
                    refused.accept(RequestFailure.ofQuestion(unknown[0]));
                } else if (open[0] == 0) {
                    done.accept(List.copyOf(byName.values()));
                }
            }));
        }

        private void statRenamed(Place renamed, PathState.AtFarEnd state, Outcome.Callback<RemoteFile> done) {
            new RenamedPathQuestion<RemoteFile>(
                            names.far(),
                            renamed,
                            state,
                            (asked, answer) -> names.far().stat(asked, false, answer),
                            (farPlace, outcome) -> done.accept(outcome))
                    .ask();
        }

        void withoutTheFarEnd(Place farPlace, Refusal refusal) {
            boolean missing = refusal.code() == ErrorCode.NOT_FOUND;
            boolean unheard = RequestFailure.isUnheard(refusal);
            Collection<PathFacts> entries = missing ? here.accepted() : here.all();
            boolean known = !entries.isEmpty()
                    || !incomplete.isEmpty()
                    || (unheard && names.created().contains(path))
                    || here.stateAt(farPlace.name()) instanceof PathState.Held;
            if (missing && known && farPlace.isTopic()) {
                refused.accept(new RequestFailure(
                        Reason.FAILED,
                        "the far end's own directory is not there, so what belongs in it cannot be listed"));
            } else if (missing && known) {
                found(merged(List.of(), entries), Optional.empty());
            } else if (unheard && known && names.options().partialListings()) {
                found(merged(List.of(), entries), Optional.of(refusal));
            } else {
                refused.accept(RequestFailure.ofQuestion(refusal));
            }
        }

        /** With what an account's own uploads that broke off make of it: SIZE and MLST say the same of them. */
        private void found(Collection<PathFacts> entries, Optional<Refusal> lacking) {
            if (incomplete.isEmpty()) {
                listed.accept(new Listed(entries, lacking));
                return;
            }
            Map<String, PathFacts> byName = new TreeMap<>();
            entries.forEach(entry -> byName.put(entry.name(), entry));
            incomplete.forEach((name, entry) -> {
                if (!entry.directory() || !byName.containsKey(name)) {
                    byName.put(name, entry);
                }
            });
            listed.accept(new Listed(byName.values(), lacking));
        }
    }
}
