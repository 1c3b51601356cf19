package io.hawser.agenta.http;

import io.hawser.agenta.account.Permission;
import io.hawser.agenta.namespace.ChangedPath;
import io.hawser.agenta.namespace.ChangedPathFinder;
import io.hawser.agenta.namespace.Namespace.Place;
import io.hawser.agenta.namespace.NamespaceChange.Change;
import io.hawser.agenta.namespace.NamespaceService;
import io.hawser.agenta.namespace.ObstacleSearch;
import io.hawser.agenta.namespace.PathState;
import io.hawser.core.ftp.FtpPath;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.model.TransferKind;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ScheduledFuture;

/**
 * MKCOL: makes a directory, with those that are missing above it. Of a far end that is away nobody waits for the answer whether the name is
 * free; it decides when the directory arrives.
 *
 * <p>Thread: the loop.
 */
final class DirectoryCreation {
    /** How long the far end has to say what is at the name. */
    private static final Duration PATIENCE = Duration.ofSeconds(2);

    private static final String EXISTS = "File exists";
    private static final int MADE = 201;
    /** RFC 4918 section 9.3.1: MKCOL needs a name at which nothing is. */
    private static final int NOT_FREE = 405;

    private final ClientRequest request;
    private final NamespaceService names;
    private final FtpPath path;
    private final Place place;

    private DirectoryCreation(ClientRequest request, Place place) {
        this.request = request;
        this.names = request.names();
        this.path = request.path();
        this.place = place;
    }

    static void begin(ClientRequest request) {
        if (!request.require(Permission.WRITE)) {
            return;
        }
        Optional<Place> place = request.names().place(request.path());
        if (request.head().bodyBytes() != 0) {
            request.refuse(415, "MKCOL has no body here");
        } else if (request.path().isRoot() || place.map(Place::isTopic).orElse(false)) {
            refuseTaken(request);
        } else if (place.isEmpty()) {
            request.refuse(409, request.names().namespace().whyNowhere(request.path()));
        } else if (request.account().seesNames()) {
            new DirectoryCreation(request, place.get()).find();
        } else {
            new DirectoryCreation(request, place.get()).makeIfUsable();
        }
    }

    private static void refuseTaken(ClientRequest request) {
        request.respond(ClientRequest.text(NOT_FREE).with("Allow", "OPTIONS, GET, HEAD, DELETE"), EXISTS);
    }

    private void makeIfUsable() {
        String unusable = ObstacleSearch.unusable(place);
        if (unusable.isEmpty()) {
            make(false);
        } else {
            request.refuse(409, unusable);
        }
    }

    private void find() {
        names.whenSettled(place, () -> {
            if (request.isOpen()) {
                findSettled();
            }
        });
    }

    private void findSettled() {
        long lastTouch = names.lastTouch(place);
        boolean[] answered = {false};
        ScheduledFuture<?> late = request.later(
                PATIENCE.toNanos(),
                () -> once(answered, () -> {
                    names.paths().unanswered(path);
                    makeUnlessDelivered(lastTouch);
                }));
        names.paths()
                .findUnlessAway(
                        path,
                        request.account().name(),
                        found -> once(answered, () -> {
                            late.cancel(false);
                            refuseTaken(request);
                        }),
                        (why, failure) -> once(answered, () -> {
                            late.cancel(false);
                            if (why == ErrorCode.NOT_FOUND) {
                                // what is deleted or renamed only here may still be at the far end
                                checkAndMake(names.pending().stateAt(place) instanceof PathState.AtFarEnd, lastTouch);
                            } else if (why == ErrorCode.UNREACHABLE) {
                                makeUnlessDelivered(lastTouch);
                            } else {
                                request.refuse(failure);
                            }
                        }));
    }

    private void once(boolean[] answered, Runnable task) {
        if (!answered[0] && request.isOpen()) {
            answered[0] = true;
            task.run();
        }
    }

    /** The far end cannot say what is there: what was delivered from here a short while ago counts. */
    private void makeUnlessDelivered(long lastTouch) {
        if (ChangedPathFinder.wasDelivered(names, place)) {
            refuseTaken(request);
        } else {
            checkAndMake(false, lastTouch);
        }
    }

    /** Makes it if nothing was done to the name since {@code lastTouch}; otherwise looks again for what is there. */
    private void checkAndMake(boolean isNew, long lastTouch) {
        String unusable = ObstacleSearch.unusable(place);
        if (!unusable.isEmpty()) {
            request.refuse(409, unusable);
            return;
        }
        names.obstacles().above(place, true, obstacle -> {
            if (!obstacle.isEmpty()) {
                request.refuse(409, obstacle);
                return;
            }
            names.whenSettled(place, () -> {
                if (!request.isOpen()) {
                    return; // the client is gone
                }
                if (names.lastTouch(place) == lastTouch) {
                    make(isNew);
                } else {
                    findSettled();
                }
            });
        });
    }

    private void make(boolean isNew) {
        ChangedPath subject = new ChangedPath(path, place, true, true, names.lastTouch(place));
        NameChange.send(request, subject, Change.of(TransferKind.MAKE_DIRECTORY, Map.of()), MADE, () -> names.created()
                .add(path, isNew));
    }
}
