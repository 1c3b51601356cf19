package io.hawser.agenta.front;

import io.hawser.agenta.account.Account;
import io.hawser.agenta.namespace.Namespace;
import io.hawser.agenta.namespace.NamespaceService;
import io.hawser.agenta.namespace.ObstacleSearch;
import io.hawser.agenta.namespace.RequestFailure;
import io.hawser.agenta.namespace.RequestFailure.Reason;
import io.hawser.core.ftp.FtpPath;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Whether something new can get a name at all: reserved names are refused, and so is a name with an obstacle above it that is known in time.
 * An account that may neither list nor read is told nothing of what is there; for it the far end decides.
 *
 * <p>Thread: the loop.
 */
public final class NewNames {
    private NewNames() {}

    /** The place of {@code path}, or why nothing there can be changed: the topics' own directories cannot. */
    public static Optional<RequestFailure> unchangeable(NamespaceService names, FtpPath path) {
        Optional<Namespace.Place> place = names.place(path);
        if (place.isEmpty() && !path.isRoot()) {
            return Optional.of(
                    new RequestFailure(Reason.BAD_NAME, names.namespace().whyNowhere(path)));
        }
        return path.isRoot() || place.map(Namespace.Place::isTopic).orElse(true)
                ? Optional.of(new RequestFailure(
                        Reason.DENIED, RequestFailure.PERMISSION_DENIED + ": a topic's own directory stays as it is"))
                : Optional.empty();
    }

    /**
     * Checks a path that has a place.
     *
     * @param made whether directories that are missing above it are made with it
     * @param checked gets what is in the way, if anything; perhaps inside this call
     */
    public static void check(
            NamespaceService names,
            Account account,
            FtpPath path,
            boolean made,
            Consumer<Optional<RequestFailure>> checked) {
        Namespace.Place place = names.place(path).orElseThrow();
        String unusable = ObstacleSearch.unusable(place);
        if (!unusable.isEmpty()) {
            checked.accept(Optional.of(new RequestFailure(Reason.BAD_NAME, unusable)));
        } else if (!account.seesNames()) {
            checked.accept(Optional.empty());
        } else {
            names.obstacles().above(place, made, obstacle -> checked.accept(failure(obstacle)));
        }
    }

    private static Optional<RequestFailure> failure(String obstacle) {
        if (obstacle.isEmpty()) {
            return Optional.empty();
        }
        boolean isMissing = obstacle.startsWith(RequestFailure.NO_SUCH_FILE);
        return Optional.of(new RequestFailure(isMissing ? Reason.NOT_FOUND : Reason.BAD_NAME, obstacle));
    }
}
