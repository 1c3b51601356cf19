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
 * Queues the questions of one lane, in the order of asking, until they are admitted. An admitted call keeps its slot and memory until it is
 * over: so a reader that holds later blocks of a file can always get the earlier ones.
 *
 * <p>One topic cannot take all slots: a disconnected far end does not delay the others.
 *
 * <p>Thread: the loop.
 */
final class CallAdmissionQueue {
    final Deque<PendingCall> waiting = new ArrayDeque<>();
    private final Map<Topic, Integer> admitted = new HashMap<>();
    private final int slots;
    private final int slotsOfOneTopic;
    private final @Nullable FragmentBufferPool pool;
    private int taken;
    private boolean lacksMemory;

    private CallAdmissionQueue(int slots, int slotsOfOneTopic, @Nullable FragmentBufferPool pool) {
        this.slots = slots;
        this.slotsOfOneTopic = Math.max(1, slotsOfOneTopic);
        this.pool = pool;
    }

    /** For questions whose answers need no memory: one topic may take three quarters of the slots. */
    static CallAdmissionQueue of(int slots) {
        return new CallAdmissionQueue(slots, slots * 3 / 4, null);
    }

    /** For questions whose answers need memory: one topic may take all buffers but two, or three quarters if that is more. */
    static CallAdmissionQueue of(FragmentBufferPool pool) {
        int slots = pool.capacity();
        return new CallAdmissionQueue(slots, Math.max(slots * 3 / 4, slots - 2), pool);
    }

    /** The next call that may be asked now, with its memory; null if there is none. */
    @Nullable
    PendingCall admit() {
        lacksMemory = false;
        if (taken >= slots) {
            return null;
        }
        Iterator<PendingCall> calls = waiting.iterator();
        while (calls.hasNext()) {
            PendingCall call = calls.next();
            if (admitted.getOrDefault(call.topic, 0) < slotsOfOneTopic) {
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
