package io.hawser.agenta.upload;

import io.hawser.agenta.account.Account;
import io.hawser.agenta.namespace.Namespace;
import io.hawser.agenta.namespace.NamespaceService;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether a file can get a name, while its bytes come in: a directory may be there, or the far end's path may be too long.
 *
 * <p>Thread: the loop.
 */
public final class UploadObstacleCheck {
    private @Nullable String obstacle;
    private Consumer<String> listener = unused -> {};

    private UploadObstacleCheck() {}

    /** Begins, for an upload that begins. An account that may neither list nor read is told nothing of what is there. */
    public static UploadObstacleCheck begin(NamespaceService names, Account account, Namespace.Place place) {
        UploadObstacleCheck check = new UploadObstacleCheck();
        if (account.seesNames()) {
            names.obstacles().at(place, check::told);
        } else {
            check.told("");
        }
        return check;
    }

    /** For an upload that is continued: its name was checked when it began. */
    public static UploadObstacleCheck notNeeded() {
        UploadObstacleCheck check = new UploadObstacleCheck();
        check.told("");
        return check;
    }

    private void told(String found) {
        obstacle = found;
        listener.accept(found);
    }

    /** Whether the answer is there, and nothing is in the way. */
    public boolean isClear() {
        return "".equals(obstacle);
    }

    /** Tells {@code heard} the obstacle in POSIX's words, or an empty text: now, or when the answer is there. */
    public void whenKnown(Consumer<String> heard) {
        listener = heard;
        String known = obstacle;
        if (known != null) {
            heard.accept(known);
        }
    }
}
