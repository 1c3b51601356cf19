package io.hawser.store.landing;

import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.TransferKey;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Where verified objects go: a directory, a far server, an application's hands. The landing area calls {@link #deliver} with
 * objects that do not conflict by path; an object that shares a path with an earlier one comes only when that one is done.
 *
 * <p>After a crash an object may be offered again, with {@link VerifiedObject#mayBeDone()}. A target that {@linkplain
 * #takesFile takes the file} answers {@link DeliveryOutcome.Delivered} when the file is gone, and is so exactly once; another one
 * sees the same key again.
 */
public interface DeliveryTarget {
    /**
     * Whether this can ever be delivered, judged by the manifest alone: null if it can, otherwise why not ({@code BAD_NAME},
     * {@code TOO_LARGE}, …). Does no I/O.
     *
     * <p>Thread: the landing area's loop.
     */
    @Nullable
    Refusal check(Manifest manifest);

    /**
     * Whether a successful delivery moves the landing file away, in one atomic step. Otherwise the landing area removes the
     * file after {@link DeliveryOutcome.Delivered}.
     */
    boolean takesFile();

    /**
     * Delivers. Calls {@code results} exactly once for each object, on any thread, before or after the return, in any order.
     * {@link DeliveryOutcome.Delivered} means that it is durable there. May block: the next call comes after the return. Patches come each in a call
     * of its own, during which other objects may be delivered by another call.
     *
     * <p>Thread: a disk thread; one call at a time, and besides one with a patch.
     *
     * @param objects 1 to 256 objects in the order in which they were committed
     */
    void deliver(List<VerifiedObject> objects, Consumer<DeliveryOutcome> results);

    /**
     * Whether the target begins with this object before it is complete. Asked at each growth until it says yes.
     *
     * <p>Thread: the landing area's loop.
     *
     * @param verifiedBytes how much of it is verified, from its beginning
     */
    default boolean wantsEarly(Manifest manifest, long verifiedBytes) {
        return false;
    }

    /**
     * More of an object that is wanted early is verified. Does not block. Afterwards comes {@link #deliver}, or {@link #gone}, or after a
     * crash of this process nothing at all until more fragments come.
     *
     * <p>Thread: the landing area's loop.
     */
    default void arriving(ArrivingObject object) {}

    /**
     * An object that was not complete was cancelled, has expired or was lost; the target, in this process or an earlier one, may have
     * begun with it. Does not block. If there is a note, it is the target's to delete when nothing is left to be done; at the next start
     * it is told again of each note that is still there. The transfer may begin anew under the same key.
     *
     * <p>Thread: the landing area's loop.
     */
    default void gone(TransferKey key, Path note) {}

    /**
     * The object will never be offered again, although it was not delivered: what a target has begun with it may go. Does not block.
     *
     * <p>Thread: a disk thread.
     */
    default void abandon(VerifiedObject object) {}
}
