package io.hawser.agenta.http;

import io.hawser.agenta.namespace.Namespace.Place;
import io.hawser.agenta.namespace.NamespaceService;
import io.hawser.agenta.namespace.PathLookup;
import io.hawser.core.hop.ErrorCode;
import io.hawser.ops.http.RequestHead;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Whether a file has the name of an upload already: for the client's conditions, which are checked before the body is read and once more
 * before the commit, and for the status of the response.
 *
 * <p>Thread: the loop.
 */
final class UploadConditions {
    private static final List<String> HEADERS = List.of("If-Match", "If-None-Match", "If-Unmodified-Since");

    private final ClientRequest request;
    private final NamespaceService names;
    private final Place place;
    private final boolean conditional;
    private long lastTouch;
    private boolean claimed;
    private Optional<Boolean> existed = Optional.empty();
    private boolean isDirectory;
    private Runnable known = () -> {};

    UploadConditions(ClientRequest request, Place place) {
        this.request = request;
        this.names = request.names();
        this.place = place;
        this.conditional = HEADERS.stream().anyMatch(request.head().headers()::containsKey);
    }

    /** Calls {@code hold} when the conditions hold, at once if there are none; otherwise the response is sent. */
    void check(Consumer<UploadConditions> hold) {
        if (!conditional) {
            look();
            hold.accept(this);
        } else if (!request.account().seesNames()) {
            request.refuse(403, "an account that may neither list nor read learns nothing of what is there");
        } else if (!request.services().exclusive().claim(place)) {
            request.refuse(412, "another upload to this name is under way");
        } else {
            claimed = true;
            lastTouch = names.lastTouch(place);
            names.paths()
                    .findAnew(
                            request.path(),
                            request.account().name(),
                            found -> {
                                isDirectory = found.facts().directory();
                                decide(holdsFor(found), true, hold);
                            },
                            (why, failure) -> {
                                if (why == ErrorCode.NOT_FOUND) {
                                    decide(holdsForNothing(), false, hold);
                                } else {
                                    release();
                                    request.refuse(failure);
                                }
                            });
        }
    }

    private void decide(boolean holds, boolean isThere, Consumer<UploadConditions> hold) {
        existed = Optional.of(isThere);
        if (holds) {
            hold.accept(this);
        } else {
            release();
            request.refuse(412, isThere ? "a file of this name is there" : "no file of this name is there");
        }
    }

    private boolean holdsFor(PathLookup.Found found) {
        Preconditions conditions = new Preconditions(
                request.head(),
                EntityTag.of(FileVersion.of(found)),
                found.facts().modifiedMillis(),
                System.currentTimeMillis());
        return conditions.isAsOnWriting() && !conditions.mustNotMatch();
    }

    private boolean holdsForNothing() {
        RequestHead head = request.head();
        return head.header("If-Match").isEmpty()
                && head.header("If-Unmodified-Since").isEmpty();
    }

    /** Whether the conditions still hold: nothing was done to the name through this node since. */
    boolean stillHold() {
        return !conditional || names.lastTouch(place) == lastTouch;
    }

    /** Asks, for the status only, whether a file is there; nobody waits for a far end that is away. */
    private void look() {
        if (!request.account().seesNames()) {
            existed = Optional.of(false);
            return;
        }
        names.paths()
                .findUnlessAway(
                        request.path(),
                        request.account().name(),
                        found -> {
                            isDirectory = found.facts().directory();
                            told(!isDirectory);
                        },
                        (why, failure) -> told(false));
    }

    /** Whether a directory of that name is known to be there by now. */
    boolean isDirectory() {
        return isDirectory;
    }

    private void told(boolean isThere) {
        existed = Optional.of(isThere);
        known.run();
    }

    /** Runs {@code run} when it is known whether a file was there; perhaps inside this call. */
    void whenKnown(Runnable run) {
        if (existed.isPresent()) {
            run.run();
        } else {
            known = run;
        }
    }

    /** Whether a file of that name is known to have been there. */
    boolean existed() {
        return existed.orElse(false);
    }

    /** The upload is over. */
    void release() {
        if (claimed) {
            claimed = false;
            request.services().exclusive().release(place);
        }
    }
}
