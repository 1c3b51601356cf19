package io.hawser.agenta.front;

import io.hawser.agenta.namespace.ChangedPath;
import io.hawser.agenta.namespace.ChangedPathFinder;
import io.hawser.agenta.namespace.Namespace;
import io.hawser.agenta.namespace.NamespaceChange.Change;
import io.hawser.agenta.namespace.NamespaceService;
import io.hawser.agenta.namespace.PathState;
import io.hawser.agenta.namespace.RequestFailure;
import io.hawser.agenta.namespace.RequestFailure.Reason;
import io.hawser.core.ftp.FtpPath;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.model.TransferKind;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Makes one directory, as a transfer of its own, so that it arrives even if it stays empty. What exists already is asked of the far end;
 * while it is away only what is known here is in the way. An account that may neither list nor read is not told what exists.
 *
 * <p>Thread: the loop.
 */
final class DirectoryMaker {
    /** How long a far end that is there may take to say what is at the name. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private final ChangeContext context;
    private final NamespaceService names;
    private final FtpPath path;
    private final Consumer<Optional<RequestFailure>> told;

    DirectoryMaker(ChangeContext context, FtpPath path, Consumer<Optional<RequestFailure>> told) {
        this.context = context;
        this.names = context.names();
        this.path = path;
        this.told = told;
    }

    void make() {
        Optional<Namespace.Place> place = names.place(path);
        if (path.isRoot() || place.map(Namespace.Place::isTopic).orElse(false)) {
            exists();
        } else if (place.isEmpty()) {
            refuse(new RequestFailure(Reason.BAD_NAME, names.namespace().whyNowhere(path)));
        } else if (!context.account().seesNames()) {
            ifNameIsFree(() -> send(place.get(), false));
        } else {
            find(place.get());
        }
    }

    private void exists() {
        refuse(RequestFailure.conflict("File exists"));
    }

    private void refuse(RequestFailure failure) {
        told.accept(Optional.of(failure));
    }

    private void find(Namespace.Place place) {
        var unused = names.whenSettled(place, () -> findSettled(place));
    }

    /** The first of the answer and the time-out counts. */
    private void findSettled(Namespace.Place place) {
        long lastTouch = names.lastTouch(place);
        boolean[] over = new boolean[1];
        Consumer<Runnable> first = answer -> {
            if (!over[0]) {
                over[0] = true;
                answer.run();
            }
        };
        var timer = context.loop()
                .schedule(
                        () -> first.accept(
                                () -> { // the far end is there and says nothing: it decides on arrival
                                    names.paths().unanswered(path);
                                    makeUnlessDelivered(place, lastTouch);
                                }),
                        PATIENCE.toMillis(),
                        TimeUnit.MILLISECONDS);
        names.paths()
                .findUnlessAway(
                        path,
                        context.account().name(),
                        found -> first.accept(() -> {
                            timer.cancel(false);
                            exists();
                        }),
                        (why, failure) -> first.accept(() -> {
                            timer.cancel(false);
                            missing(place, lastTouch, why, failure);
                        }));
    }

    private void missing(Namespace.Place place, long lastTouch, ErrorCode why, RequestFailure failure) {
        if (why == ErrorCode.NOT_FOUND) {
            // what is deleted or renamed only here may still be at the far end
            checkAndMake(place, names.pending().stateAt(place) instanceof PathState.AtFarEnd, lastTouch);
        } else if (why == ErrorCode.UNREACHABLE) {
            makeUnlessDelivered(place, lastTouch);
        } else {
            refuse(failure);
        }
    }

    /** The far end cannot say what is there: what was delivered from here a short while ago counts. */
    private void makeUnlessDelivered(Namespace.Place place, long lastTouch) {
        if (ChangedPathFinder.wasDelivered(names, place)) {
            exists();
        } else {
            checkAndMake(place, false, lastTouch);
        }
    }

    /** Makes it if nothing was done to the name since {@code lastTouch}; otherwise looks again for what is there. */
    private void checkAndMake(Namespace.Place place, boolean isNew, long lastTouch) {
        ifNameIsFree(() -> {
            var unused = names.whenSettled(place, () -> {
                if (names.lastTouch(place) == lastTouch) {
                    send(place, isNew);
                } else {
                    find(place);
                }
            });
        });
    }

    private void ifNameIsFree(Runnable free) {
        NewNames.check(names, context.account(), path, true, obstacle -> {
            if (obstacle.isPresent()) {
                told.accept(obstacle);
            } else {
                free.run();
            }
        });
    }

    private void send(Namespace.Place place, boolean isNew) {
        ChangedPath subject = new ChangedPath(path, place, true, true, names.lastTouch(place));
        ChangeFollower.send(
                context, subject, Change.of(TransferKind.MAKE_DIRECTORY, Map.of()), List.of(path), failure -> {
                    if (failure.isEmpty()) {
                        names.created().add(path, isNew);
                    }
                    told.accept(failure);
                });
    }
}
