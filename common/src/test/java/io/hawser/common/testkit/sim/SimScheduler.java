package io.hawser.common.testkit.sim;

import java.util.PriorityQueue;

/** Virtual time: events in the order of their time, and of their making where the time is the same. */
final class SimScheduler {
    private record Event(long timeNanos, long number, Runnable task) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            int byTime = Long.compare(timeNanos, other.timeNanos);
            return byTime != 0 ? byTime : Long.compare(number, other.number);
        }
    }

    private final PriorityQueue<Event> events = new PriorityQueue<>(256);
    private long nowNanos = 1;
    private long made;

    long nowNanos() {
        return nowNanos;
    }

    void after(long delayNanos, Runnable task) {
        events.add(new Event(nowNanos + Math.max(0, delayNanos), made++, task));
    }

    /** Runs the next event. False if there is none. */
    boolean step() {
        Event next = events.poll();
        if (next == null) {
            return false;
        }
        nowNanos = next.timeNanos;
        next.task.run();
        return true;
    }
}
