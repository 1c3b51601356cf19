package io.hawser.agenta.namespace;

import io.hawser.agenta.account.Account;
import io.hawser.agenta.namespace.Namespace.Place;
import io.hawser.core.ftp.FtpPath;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.remote.RemoteFile;
import io.hawser.core.remote.RemoteFiles;
import io.hawser.store.spool.SpoolPhase;
import io.hawser.store.spool.TransferSnapshot;
import java.util.List;
import java.util.function.Consumer;

/**
 * Finds the subject of a change for one account: what is on its way from here is known here; for anything else the far end has to say
 * whether it exists. The search waits for earlier changes of the name to become durable, and begins anew if one was made while the far end
 * was asked: a change that is sent inside {@code found} is the only one of what was found.
 *
 * <p>Thread: the loop. One of the two callbacks is called, perhaps inside the call.
 */
public final class ChangedPathFinder {
    private final NamespaceService names;
    private final Account account;
    private final FtpPath path;
    private final Place place;
    private final Consumer<ChangedPath> found;
    private final Consumer<RequestFailure> refused;
    private List<Place> settled;
    private Runnable wait = () -> {};
    private boolean over;

    /** @param path a path that has a place */
    public ChangedPathFinder(
            NamespaceService names,
            Account account,
            FtpPath path,
            Consumer<ChangedPath> found,
            Consumer<RequestFailure> refused) {
        this.names = names;
        this.account = account;
        this.path = path;
        this.place = names.namespace().place(path).orElseThrow();
        this.found = found;
        this.refused = refused;
        this.settled = List.of(place);
    }

    private void whenSettled(Runnable action) {
        if (!over) {
            wait = names.unsettled().whenSettled(settled, action);
        }
    }

    /** Nobody waits for the answer any more. */
    public void leave() {
        over = true;
        wait.run();
    }

    public void find() {
        whenSettled(() -> look(false));
    }

    /**
     * The same for a rename to {@code target}, of what was found a while ago. It is searched again only if something was done to its name
     * since. Changes of {@code target} are waited for too.
     */
    public void findAgain(ChangedPath earlier, Place target) {
        settled = List.of(place, target);
        whenSettled(() -> {
            if (names.lastTouch(place) == earlier.lastTouch()) {
                found.accept(earlier);
            } else if (account.seesNames()) {
                find();
            } else {
                findOwn();
            }
        });
    }

    /**
     * The same for changes that mirrors make after each file: what was delivered from here a short while ago is known as well as
     * what is on its way, and such a change is answered here. An account that may not know what exists changes only what it has uploaded.
     */
    public void findKnown() {
        whenSettled(() -> {
            if (!account.seesNames()) {
                findOwn();
            } else if (wasDelivered(names, place)) {
                found(false, true);
            } else {
                find();
            }
        });
    }

    /**
     * The same for an account that may not know what exists: files that it has uploaded itself, see {@link OwnUploads}. For anything else
     * the answer is the same whether it exists or not.
     */
    public void findOwn() {
        whenSettled(() -> {
            if (new OwnUploads(names.spool(), names.pending(), account.name()).has(place)) {
                found(false, true);
            } else {
                refused.accept(new RequestFailure(RequestFailure.Reason.DENIED, RequestFailure.PERMISSION_DENIED));
            }
        });
    }

    private void found(boolean directory, boolean onItsWay) {
        found.accept(new ChangedPath(path, place, directory, onItsWay, names.lastTouch(place)));
    }

    /**
     * Decides who can say whether {@code subject}, a directory on its way that holds nothing here, is empty. Only one that is known to be new
     * holds nothing else. Any other may have been at the far end before, with files in it: there the far end has to answer for its removal.
     * Finds the same subject, on its way only if it is known to be new; or what is there now, with another {@link ChangedPath#lastTouch}, if
     * something was done to it since.
     */
    public void checkEmpty(ChangedPath subject) {
        PathState state = names.pending().stateAt(place);
        String asked = place.name();
        if (state instanceof PathState.Held held) {
            if (held.isDirectory() && names.created().isNew(path)) {
                found.accept(subject);
                return;
            }
            asked = held.transfer()
                    .manifest()
                    .name(); // what the far end knows while the renames that were accepted here are under way
        } else if (state instanceof PathState.AtFarEnd far) {
            asked = far.name();
        }
        boolean underItsName = asked.equals(place.name());
        ask(asked, subject.lastTouch(), outcome -> {
            Refusal refusal = outcome.refusal();
            if (refusal != null && refusal.code() == ErrorCode.UNREACHABLE) {
                refused.accept(new RequestFailure(
                        RequestFailure.Reason.FAILED,
                        refusal.detail() + ", and it alone knows whether it is empty; try again later"));
            } else {
                boolean isNew = refusal != null && refusal.code() == ErrorCode.NOT_FOUND && underItsName;
                found(true, isNew);
            }
        });
    }

    /** Whether the last transfer from here that touched {@code place} was delivered there a short while ago and left something. */
    public static boolean wasDelivered(NamespaceService names, Place place) {
        return names.pending().stateAt(place) instanceof PathState.AtFarEnd
                && names.spool()
                        .lastEnded(place.topic(), place.name())
                        .filter(state -> leavesSomething(state, place.name()))
                        .isPresent();
    }

    /** A failure that tells what exists, as {@code account} may know it: one that may not is told the same in all cases. */
    public static RequestFailure visibleTo(Account account, RequestFailure failure) {
        return account.seesNames()
                ? failure
                : new RequestFailure(RequestFailure.Reason.DENIED, RequestFailure.PERMISSION_DENIED);
    }

    /** Whether the end of that transfer means that something is at {@code name}. */
    private static boolean leavesSomething(TransferSnapshot ended, String name) {
        if (ended.phase() != SpoolPhase.FINISHED
                || ended.receipts().stream().anyMatch(receipt -> receipt.status() != ReceiptStatus.DELIVERED)) {
            return false;
        }
        return switch (ended.manifest().kind()) {
            case FILE, PATCH, MAKE_DIRECTORY, SET_TIME, SET_MODE -> true;
            case RENAME -> NamesAfterTransfers.renamedTo(ended.manifest()).equals(name);
            case DELETE, REMOVE_DIRECTORY, MESSAGE -> false;
        };
    }

    private void look(boolean isAnswered) {
        PathState state = names.pending().stateAt(place);
        if (state instanceof PathState.Held held) {
            found(held.isDirectory(), true);
        } else if (state instanceof PathState.AtFarEnd far) {
            if (names.spool().isTouchedBelow(place.topic(), place.name())) {
                found(true, true);
            } else if (!isAnswered && far.isBeingRenamed()) {
                askRenamed(far);
            } else if (!isAnswered) {
                ask(place.name(), names.lastTouch(place), this::told);
            } else if (names.spool().hasUnfollowed(place.topic())) {
                refused.accept(RequestFailure.onlyTheFarEndKnows(RequestFailure.unfollowed()));
            } else {
                refused.accept(visibleTo(account, RequestFailure.notFound()));
            }
        } else {
            refused.accept(visibleTo(account, RequestFailure.notFound()));
        }
    }

    private void askRenamed(PathState.AtFarEnd far) {
        long lastTouch = names.lastTouch(place);
        new RenamedPathQuestion<RemoteFile>(
                        names.far(),
                        place,
                        far,
                        (asked, done) -> names.askTheFarEnd(asked.topic(), asked.name(), done),
                        (farPlace, outcome) -> whenSettled(() -> toldOfUntouched(lastTouch, outcome, this::told)))
                .ask();
    }

    /** {@code told} hears the answer if nothing was done to the place since {@code lastTouch}; otherwise the search begins anew. */
    private void ask(String name, long lastTouch, Outcome.Callback<RemoteFile> told) {
        names.askTheFarEnd(
                place.topic(), name, outcome -> whenSettled(() -> toldOfUntouched(lastTouch, outcome, told)));
    }

    private void toldOfUntouched(long lastTouch, Outcome<RemoteFile> outcome, Outcome.Callback<RemoteFile> told) {
        if (names.lastTouch(place) == lastTouch) {
            told.accept(outcome);
        } else {
            find();
        }
    }

    private void told(Outcome<RemoteFile> outcome) {
        Refusal refusal = outcome.refusal();
        if (refusal == null && outcome.get().isBelowLink()) {
            refused.accept(visibleTo(account, RequestFailure.conflict(RemoteFiles.NOT_WRITTEN_THROUGH)));
        } else if (refusal == null) {
            RemoteFile file = outcome.get();
            found(file.isDirectory() && !file.isLink(), false);
        } else if (refusal.code() == ErrorCode.NOT_FOUND || refusal.code() == ErrorCode.NOT_DIRECTORY) {
            look(true);
        } else if (refusal.code() == ErrorCode.UNREACHABLE) {
            refused.accept(RequestFailure.onlyTheFarEndKnows(refusal));
        } else {
            refused.accept(visibleTo(account, RequestFailure.ofQuestion(refusal)));
        }
    }
}
