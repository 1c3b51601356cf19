package io.hawser.common.landing;

import io.hawser.common.hop.Refusal;
import io.hawser.common.model.Manifest;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Where verified objects go: a directory, a far server, an application's hands. The landing area calls {@link #deliver} with
 * objects that do not conflict by path; an object that shares a path with an earlier one comes only when that one is done.
 *
 * <p>After a crash an object may be offered again, with {@link VerifiedObject#offeredBefore()}. A target that {@linkplain
 * #takesFile takes the file} answers {@link Delivery.Delivered} when the file is gone, and is so exactly once; another one
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
     * file after {@link Delivery.Delivered}.
     */
    boolean takesFile();

    /**
     * Delivers. Calls {@code results} exactly once for each object, on any thread, before or after the return, in any order.
     * {@link Delivery.Delivered} means that it is durable there. May block: the next call comes after the return.
     *
     * <p>Thread: a disk thread; one call at a time.
     *
     * @param objects 1 to 256 objects in the order in which they were committed
     */
    void deliver(List<VerifiedObject> objects, Consumer<Delivery> results);

    /**
     * The object will never be offered again, although it was not delivered: what a target has begun with it may go. Does not block.
     *
     * <p>Thread: a disk thread.
     */
    default void abandon(VerifiedObject object) {}
}
