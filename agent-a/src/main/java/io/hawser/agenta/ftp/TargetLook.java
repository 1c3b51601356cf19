package io.hawser.agenta.ftp;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The question whether a file can get a name, which an upload asks while its bytes come in and before its final reply: a directory
 * may stand there, or the far end's path may be too long.
 *
 * <p>Thread: the loop.
 */
final class TargetLook {
    private @Nullable String obstacle;
    private Consumer<String> listener = unused -> {};

    private TargetLook() {}

    /** Asks it for an upload that begins. An account that may neither list nor read is told nothing of what is there. */
    static TargetLook begin(FtpSession session, Namespace.Place place) {
        TargetLook look = new TargetLook();
        if (session.seesNames()) {
            session.server().obstacleSearch().at(place, look::told);
        } else {
            look.told("");
        }
        return look;
    }

    /** Of an upload that goes on: its name was looked at when it began. */
    static TargetLook notNeeded() {
        TargetLook look = new TargetLook();
        look.told("");
        return look;
    }

    private void told(String found) {
        obstacle = found;
        listener.accept(found);
    }

    /** Whether the answer is there, and nothing is in the way. */
    boolean isClear() {
        return "".equals(obstacle);
    }

    /** Tells {@code heard} the obstacle in POSIX's words, or an empty text: now, or when the answer is there. */
    void whenKnown(Consumer<String> heard) {
        listener = heard;
        String known = obstacle;
        if (known != null) {
            heard.accept(known);
        }
    }
}
