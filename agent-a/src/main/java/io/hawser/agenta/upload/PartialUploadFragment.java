package io.hawser.agenta.upload;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.model.FragmentRanges;
import org.jspecify.annotations.Nullable;

/**
 * A fragment of which bytes have come and others may still come.
 *
 * <pre>
 *   LOADING ──► OPEN ──complete──► WRITING
 *      ▲          │ idle
 *      └── SPILLED ◄── SPILLING
 * </pre>
 *
 * <p>Thread: the loop.
 */
final class PartialUploadFragment {
    /** Where its bytes are. */
    enum Stage {
        /** They are being read back from the disk. */
        LOADING,
        /** In its buffer, which takes more. */
        OPEN,
        /** On their way to be put aside. */
        SPILLING,
        /** Put aside on the disk. */
        SPILLED,
        /** All of them have come, and the spool has them. */
        WRITING
    }

    final long index;
    /** Which of its bytes have come; positions within the fragment. */
    final FragmentRanges cover = new FragmentRanges();

    @Nullable
    FragmentBuffer buffer;

    Stage stage = Stage.OPEN;
    /** While it is open. */
    private BufferScheduler.@Nullable Hold hold;

    /** Whether it holds bytes that are not durable. */
    boolean changed;

    PartialUploadFragment(long index, FragmentBuffer buffer) {
        this.index = index;
        this.buffer = buffer;
    }

    void opened(BufferScheduler.Hold begun) {
        stage = Stage.OPEN;
        hold = begun;
    }

    void touched() {
        if (hold != null) {
            hold.touched();
        }
    }

    /** When bytes last came, while it is open. */
    long touchedNanos() {
        return hold == null ? 0 : hold.touchedNanos();
    }

    /** It is no longer open, and {@code stage} from now on. */
    void left(Stage next) {
        stage = next;
        if (hold != null) {
            hold.end();
            hold = null;
        }
    }

    FragmentBuffer openBuffer() {
        FragmentBuffer open = buffer;
        if (open == null) {
            throw new IllegalStateException("fragment " + index + " is " + stage);
        }
        return open;
    }

    /** Whether its bytes are on their way between the disk and memory. */
    boolean isMoving() {
        return stage == Stage.LOADING || stage == Stage.SPILLING;
    }
}
