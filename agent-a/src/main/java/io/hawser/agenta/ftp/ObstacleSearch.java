package io.hawser.agenta.ftp;

import io.hawser.agenta.ftp.Namespace.Place;
import io.hawser.common.hop.Outcome;
import io.hawser.common.hop.Refusal;
import io.hawser.common.landing.LandingOptions;
import io.hawser.common.model.Topic;
import io.hawser.common.model.TransferKind;
import io.hawser.common.remote.RemoteFile;
import io.hawser.common.remote.RemoteFiles;
import io.hawser.common.spool.Spool;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether something stands in the way of a new name: a file, or a link that leads out, where a directory would have to be. What is
 * on its way from here is known here; otherwise the far edge is asked, for a short time only, and believed for as long as
 * listings are. While it does not answer nothing is in the way: the far end decides when the upload arrives, and its receipt
 * tells.
 *
 * <p>Bounded: {@value #MAX_CLEAR} directories are remembered. Thread: the loop.
 */
final class ObstacleSearch {
    private static final int MAX_CLEAR = 10_000;
    /** Longer than a far edge takes that is there, and short for a client that uploads while it is not. */
    private static final Duration PATIENCE = Duration.ofMillis(250);
    /** Who did not answer is not asked anew by each command. */
    private static final Duration BELIEVED_SLOW = Duration.ofSeconds(10);

    private static final String NOT_DIRECTORY = "Not a directory";

    private final Spool spool;
    private final HeldNames held;
    private final RemoteFiles remote;
    private final LongSupplier nanoClock;
    private final Map<Place, Long> clear = new LinkedHashMap<>();
    private final Map<Topic, Long> slow = new HashMap<>();

    ObstacleSearch(Spool spool, HeldNames held, RemoteFiles remote, LongSupplier nanoClock) {
        this.spool = spool;
        this.held = held;
        this.remote = remote;
        this.nanoClock = nanoClock;
    }

    /** Why nothing may ever have that name, or an empty text. */
    static String reserved(Place place) {
        return place.name().startsWith(LandingOptions.DIRECTORY_PREFIX)
                ? "Permission denied: names that begin with " + LandingOptions.DIRECTORY_PREFIX
                        + " are kept for incomplete files"
                : "";
    }

    /**
     * Looks at the directories above {@code place}. The answer may come inside this call.
     *
     * @param made whether those that are missing are made with it
     * @param done hears the obstacle in POSIX's words, or an empty text
     */
    void above(Place place, boolean made, Consumer<String> done) {
        Place directory = parent(place);
        look(directory, made, obstacle -> {
            if (obstacle.isEmpty() && !isSlow(place.topic())) {
                remember(directory);
            }
            done.accept(obstacle);
        });
    }

    private static Place parent(Place place) {
        int slash = place.name().lastIndexOf('/');
        return new Place(place.topic(), slash < 0 ? "" : place.name().substring(0, slash));
    }

    private void look(Place directory, boolean made, Consumer<String> done) {
        if (directory.isTopic()) {
            done.accept("");
            return;
        }
        Standing standing = held.standing(directory);
        if (standing instanceof Standing.Held here) {
            boolean isDirectory = here.transfer().manifest().kind() == TransferKind.MAKE_DIRECTORY;
            done.accept(isDirectory ? "" : NOT_DIRECTORY);
        } else if (isFresh(clear.get(directory), FarView.FRESH) || isSlow(directory.topic())) {
            done.accept("");
        } else if (standing instanceof Standing.AtFarEnd there) {
            remote.stat(directory.topic(), there.name(), PATIENCE, outcome -> told(directory, made, outcome, done));
        } else {
            missing(directory, made, done);
        }
    }

    private void told(Place directory, boolean made, Outcome<RemoteFile> outcome, Consumer<String> done) {
        Refusal refusal = outcome.refusal();
        if (refusal == null) {
            done.accept(outcome.get().isDirectory() ? "" : NOT_DIRECTORY);
            return;
        }
        switch (refusal.code()) {
            case NOT_DIRECTORY -> done.accept(NOT_DIRECTORY);
            case NOT_FOUND -> missing(directory, made, done);
            case NOT_ALLOWED -> done.accept(refusal.detail().equals(RemoteFiles.LEADS_OUT) ? refusal.detail() : "");
            case UNREACHABLE -> {
                slow.put(directory.topic(), nanoClock.getAsLong());
                done.accept("");
            }
            default -> done.accept("");
        }
    }

    private void missing(Place directory, boolean made, Consumer<String> done) {
        if (made || spool.isTouchedBelow(directory.topic(), directory.name())) {
            look(parent(directory), made, done);
        } else {
            done.accept(PathLookup.NO_SUCH_FILE);
        }
    }

    private boolean isSlow(Topic topic) {
        return isFresh(slow.get(topic), BELIEVED_SLOW);
    }

    private boolean isFresh(@Nullable Long atNanos, Duration time) {
        return atNanos != null && nanoClock.getAsLong() - atNanos < time.toNanos();
    }

    private void remember(Place directory) {
        if (directory.isTopic() || isFresh(clear.get(directory), FarView.FRESH)) {
            return;
        }
        clear.remove(directory);
        clear.put(directory, nanoClock.getAsLong());
        if (clear.size() > MAX_CLEAR) {
            clear.remove(clear.keySet().iterator().next());
        }
    }
}
