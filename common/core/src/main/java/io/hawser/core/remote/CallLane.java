package io.hawser.core.remote;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.model.Topic;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The questions of one lane that have not been sent for the first time, in the order of asking. What is admitted keeps its place,
 * and its memory, until it is over: so whoever holds later blocks of a file can always get the earlier ones.
 *
 * <p>One topic does not take all places: a far edge that is away does not hold back the others.
 *
 * <p>Thread: the loop.
 */
final class CallLane {
    final Deque<PendingCall> waiting = new ArrayDeque<>();
    private final Map<Topic, Integer> admitted = new HashMap<>();
    private final int places;
    private final int placesOfOneTopic;
    private final @Nullable FragmentBufferPool pool;
    private int taken;
    private boolean lacksMemory;

    private CallLane(int places, int placesOfOneTopic, @Nullable FragmentBufferPool pool) {
        this.places = places;
        this.placesOfOneTopic = Math.max(1, placesOfOneTopic);
        this.pool = pool;
    }

    /** For questions whose answers need no memory: one topic takes three quarters of the places. */
    static CallLane of(int places) {
        return new CallLane(places, places * 3 / 4, null);
    }

    /** For questions whose answers need memory: all but two buffers are one topic's, or three quarters where that is more. */
    static CallLane of(FragmentBufferPool pool) {
        int places = pool.capacity();
        return new CallLane(places, Math.max(places * 3 / 4, places - 2), pool);
    }

    /** The next call that may be asked now, with its memory; null if there is none. */
    @Nullable
    PendingCall admit() {
        lacksMemory = false;
        if (taken >= places) {
            return null;
        }
        Iterator<PendingCall> calls = waiting.iterator();
        while (calls.hasNext()) {
            PendingCall call = calls.next();
            if (admitted.getOrDefault(call.topic, 0) < placesOfOneTopic) {
                if (pool != null) {
                    FragmentBuffer memory = pool.tryAcquire();
                    if (memory == null) {
                        lacksMemory = true;
                        return null;
                    }
                    call.memory = memory;
                }
                calls.remove();
                admitted.merge(call.topic, 1, Integer::sum);
                taken++;
                return call;
            }
        }
        return null;
    }

    /** An admitted call is over. */
    void leave(PendingCall call) {
        taken--;
        admitted.computeIfPresent(call.topic, (topic, count) -> count == 1 ? null : count - 1);
    }

    /** The pool that the last {@link #admit} found empty, or null. */
    @Nullable
    FragmentBufferPool lackedMemoryOf() {
        return lacksMemory ? pool : null;
    }
}
