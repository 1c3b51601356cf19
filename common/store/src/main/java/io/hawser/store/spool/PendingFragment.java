package io.hawser.store.spool;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.hop.Outcome;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The first and only fragment of a small upload while it is in memory alone, and the callbacks that wait for it to be durable. It may be
 * put again when it has grown.
 *
 * <p>Thread: the loop.
 */
final class PendingFragment {
    private final List<Outcome.Callback<Long>> waiting = new ArrayList<>(1);
    private byte @Nullable [] bytes;

    /** Takes a copy of payload bytes {@code [0, length)} in place of what was held, and one more callback. */
    void put(FragmentBuffer buffer, int length, Outcome.Callback<Long> durable) {
        byte[] copy = new byte[length];
        buffer.payload(0, length).get(copy);
        bytes = copy;
        waiting.add(durable);
    }

    /** Whether there are no bytes. */
    boolean isEmpty() {
        return bytes == null;
    }

    /** The bytes, none if none were put; they must not be changed. */
    byte[] bytes() {
        byte[] here = bytes;
        return here == null ? new byte[0] : here;
    }

    /** Drops the bytes: they are elsewhere now, or not wanted. The callbacks stay. */
    void drop() {
        bytes = null;
    }

    /** Removes all callbacks and returns them as one. */
    Outcome.Callback<Long> takeWaiting() {
        List<Outcome.Callback<Long>> all = List.copyOf(waiting);
        waiting.clear();
        return outcome -> all.forEach(callback -> callback.accept(outcome));
    }
}
