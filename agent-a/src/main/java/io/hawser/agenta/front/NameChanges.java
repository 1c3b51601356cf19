package io.hawser.agenta.front;

import io.hawser.agenta.namespace.ChangedPath;
import io.hawser.agenta.namespace.ChangedPathFinder;
import io.hawser.agenta.namespace.Namespace;
import io.hawser.agenta.namespace.NamespaceChange.Change;
import io.hawser.agenta.namespace.NamespaceService;
import io.hawser.agenta.namespace.PathFacts;
import io.hawser.agenta.namespace.RequestFailure;
import io.hawser.agenta.namespace.RequestFailure.Reason;
import io.hawser.agenta.namespace.UndeliveredUploads;
import io.hawser.core.ftp.FtpPath;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.model.Attributes;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import io.hawser.store.spool.Spool;
import io.hawser.store.spool.TransferSnapshot;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The changes of names, times and modes that one client asks for. The last argument of each method gets what was in the way, or nothing
 * when the change has come as far as the client's custody level asks; perhaps inside the call.
 *
 * <p>Thread: the loop.
 */
public final class NameChanges {
    private final ChangeContext context;
    private final NamespaceService names;

    public NameChanges(ChangeContext context) {
        this.context = context;
        this.names = context.names();
    }

    private Optional<RequestFailure> refusal(FtpPath path) {
        return NewNames.unchangeable(names, path);
    }

    private ChangedPathFinder finder(
            FtpPath path, Consumer<ChangedPath> found, Consumer<Optional<RequestFailure>> told) {
        return new ChangedPathFinder(
                names, context.account(), path, found, failure -> told.accept(Optional.of(failure)));
    }

    private void send(ChangedPath subject, Change change, Consumer<Optional<RequestFailure>> told) {
        ChangeFollower.send(context, subject, change, List.of(subject.path()), told);
    }

    /** Removes a file. An upload of this account that broke off is dropped first; what is not delivered yet is cancelled. */
    public void remove(FtpPath path, Consumer<Optional<RequestFailure>> told) {
        Optional<RequestFailure> refusal = refusal(path);
        if (refusal.isPresent()) {
            told.accept(refusal);
            return;
        }
        Namespace.Place place = names.place(path).orElseThrow();
        Spool spool = names.spool();
        Optional<TransferKey> incomplete = spool.findIncomplete(
                        context.account().name(), place.topic(), place.name())
                .map(TransferSnapshot::key);
        if (incomplete.isEmpty()) {
            removeWhole(path, told);
            return;
        }
        Outcome<TransferKey> begun = spool.cancel(incomplete.get(), "Deleted by its client", outcome -> {
            if (outcome.refusal() != null) {
                told.accept(Optional.of(RequestFailure.of(outcome.refusal())));
            } else {
                removeWhole(path, failure -> told.accept(failure.filter(why -> !isNothingElse(why))));
            }
        });
        if (begun.isRefused()) {
            removeWhole(path, told);
        }
    }

    /** The upload is dropped, and as far as the account may know nothing else has the name. */
    private boolean isNothingElse(RequestFailure failure) {
        return (!context.account().seesNames() && failure.reason() == Reason.DENIED)
                || failure.isOfApplication()
                || failure.reason() == Reason.NOT_FOUND;
    }

    private void removeWhole(FtpPath path, Consumer<Optional<RequestFailure>> told) {
        finder(path, subject -> removeFound(subject, told), told).find();
    }

    private void removeFound(ChangedPath subject, Consumer<Optional<RequestFailure>> told) {
        if (subject.directory()) {
            RequestFailure failure = RequestFailure.conflict(RequestFailure.IS_DIRECTORY);
            told.accept(Optional.of(ChangedPathFinder.visibleTo(context.account(), failure)));
            return;
        }
        boolean cancels = subject.onItsWay()
                && new UndeliveredUploads(names.spool(), context.account().name(), subject.place())
                        .cancel("deleted by its client");
        Map<String, String> attributes = cancels ? Map.of(Attributes.IF_EXISTS, Attributes.YES) : Map.of();
        send(subject, Change.of(TransferKind.DELETE, attributes), told);
    }

    /** Removes an empty directory. Of one that is on its way the far end is asked first, unless it is known to be new. */
    public void removeDirectory(FtpPath path, Consumer<Optional<RequestFailure>> told) {
        Optional<RequestFailure> refusal = refusal(path);
        if (refusal.isPresent()) {
            told.accept(refusal);
        } else {
            finder(path, subject -> removeDirectory(subject, told), told).find();
        }
    }

    private void removeDirectory(ChangedPath subject, Consumer<Optional<RequestFailure>> told) {
        if (!subject.directory()) {
            told.accept(Optional.of(RequestFailure.conflict(RequestFailure.NOT_DIRECTORY)));
        } else if (subject.onItsWay() && isEmptyHere(subject)) {
            Consumer<ChangedPath> checked = again -> {
                if (again.lastTouch() == subject.lastTouch()) {
                    removeEmpty(again, told);
                } else {
                    removeDirectory(again, told);
                }
            };
            finder(subject.path(), checked, told).checkEmpty(subject);
        } else {
            removeEmpty(subject, told);
        }
    }

    private boolean isEmptyHere(ChangedPath subject) {
        return names.pending().listAccepted(subject.path()).isEmpty() && !names.isUnsettledBelow(subject.place());
    }

    private void removeEmpty(ChangedPath subject, Consumer<Optional<RequestFailure>> told) {
        if (!isEmptyHere(subject)) {
            told.accept(Optional.of(RequestFailure.conflict("Directory not empty")));
            return;
        }
        send(subject, Change.of(TransferKind.REMOVE_DIRECTORY, Map.of()), failure -> {
            if (failure.isEmpty()) {
                names.created().remove(subject.path());
            }
            told.accept(failure);
        });
    }

    /** Makes a directory. */
    public void makeDirectory(FtpPath path, Consumer<Optional<RequestFailure>> told) {
        new DirectoryMaker(context, path, told).make();
    }

    /**
     * Gives what is at {@code from} the name {@code to}.
     *
     * @param replaces whether a file that has the name already is replaced; otherwise it is in the way, as far as that is known
     */
    public void rename(FtpPath from, FtpPath to, boolean replaces, Consumer<Optional<RequestFailure>> told) {
        Optional<RequestFailure> refusal = refusal(from).or(() -> refusal(to));
        if (refusal.isPresent()) {
            told.accept(refusal);
            return;
        }
        ChangedPathFinder finder = finder(from, subject -> renameFound(subject, to, replaces, told), told);
        if (context.account().seesNames()) {
            finder.find();
        } else {
            finder.findOwn();
        }
    }

    private void renameFound(
            ChangedPath subject, FtpPath to, boolean replaces, Consumer<Optional<RequestFailure>> told) {
        Namespace.Place target = names.place(to).orElseThrow();
        String refusal = placeRefusal(subject, target);
        if (!refusal.isEmpty()) {
            told.accept(Optional.of(RequestFailure.conflict(refusal)));
        } else if (subject.path().equals(to)) {
            told.accept(Optional.empty());
        } else {
            NewNames.check(names, context.account(), to, false, obstacle -> {
                if (obstacle.isPresent()) {
                    told.accept(obstacle);
                } else if (replaces || !context.account().seesNames()) {
                    renameAgain(subject, to, target, told);
                } else {
                    unlessTaken(to, told, () -> renameAgain(subject, to, target, told));
                }
            });
        }
    }

    /** While the far end cannot say, nothing is in the way: a client that is away from it for long renames all the same. */
    private void unlessTaken(FtpPath to, Consumer<Optional<RequestFailure>> told, Runnable free) {
        names.paths()
                .findUnlessAway(
                        to,
                        context.account().name(),
                        found -> told.accept(Optional.of(RequestFailure.conflict("File exists"))),
                        (why, failure) -> {
                            if (why == ErrorCode.NOT_FOUND || why == ErrorCode.UNREACHABLE) {
                                free.run();
                            } else {
                                told.accept(Optional.of(failure));
                            }
                        });
    }

    private void renameAgain(
            ChangedPath earlier, FtpPath to, Namespace.Place target, Consumer<Optional<RequestFailure>> told) {
        finder(earlier.path(), subject -> renameNow(subject, to, target, told), told)
                .findAgain(earlier, target);
    }

    private void renameNow(
            ChangedPath subject, FtpPath to, Namespace.Place target, Consumer<Optional<RequestFailure>> told) {
        String refusal = targetRefusal(subject, to);
        if (!refusal.isEmpty()) {
            told.accept(Optional.of(RequestFailure.conflict(refusal)));
            return;
        }
        ChangeFollower.send(context, subject, Change.rename(target.name()), List.of(subject.path(), to), failure -> {
            if (failure.isEmpty()) {
                names.created().renamed(subject.path(), to);
            }
            told.accept(failure);
        });
    }

    private static String placeRefusal(ChangedPath subject, Namespace.Place target) {
        if (!target.topic().equals(subject.place().topic())) {
            return "Invalid cross-device link";
        }
        if (target.name().startsWith(subject.place().name() + "/")) {
            return subject.directory() ? "Invalid argument" : RequestFailure.NOT_DIRECTORY;
        }
        return "";
    }

    private String targetRefusal(ChangedPath subject, FtpPath to) {
        Optional<PathFacts> there = names.pending().findTransferred(to);
        if (there.isEmpty() || !context.account().seesNames()) {
            return "";
        }
        if (there.get().directory()) {
            return "File exists";
        }
        return subject.directory() ? RequestFailure.NOT_DIRECTORY : "";
    }

    /** Sets the modification time. */
    public void setTime(FtpPath path, long epochMillis, Consumer<Optional<RequestFailure>> told) {
        setKnown(
                path,
                Change.of(TransferKind.SET_TIME, Map.of(Attributes.MODIFIED_MILLIS, Long.toString(epochMillis))),
                told);
    }

    /** Sets the nine permission bits. */
    public void setMode(FtpPath path, int mode, Consumer<Optional<RequestFailure>> told) {
        setKnown(path, Change.of(TransferKind.SET_MODE, Map.of(Attributes.MODE, Integer.toOctalString(mode))), told);
    }

    private void setKnown(FtpPath path, Change change, Consumer<Optional<RequestFailure>> told) {
        Optional<RequestFailure> refusal = refusal(path);
        if (refusal.isPresent()) {
            told.accept(refusal);
        } else {
            finder(path, subject -> send(subject, change, told), told).findKnown();
        }
    }
}
