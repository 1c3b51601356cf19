package io.hawser.it.sim;

import java.util.Arrays;

/**
 * Virtual time: events in the order of their time, and of their making where the time is the same. A heap in arrays: a schedule has thousands of
 * events, and no garbage is made for them here.
 */
final class SimScheduler {
    private static final int FIRST_CAPACITY = 256;

    private long[] times = new long[FIRST_CAPACITY];
    private long[] numbers = new long[FIRST_CAPACITY];
    private Runnable[] tasks = new Runnable[FIRST_CAPACITY];
    private int size;
    private long nowNanos = 1;
    private long made;

    long nowNanos() {
        return nowNanos;
    }

    void after(long delayNanos, Runnable task) {
        if (size == times.length) {
            times = Arrays.copyOf(times, 2 * size);
            numbers = Arrays.copyOf(numbers, 2 * size);
            tasks = Arrays.copyOf(tasks, 2 * size);
        }
        rise(size++, nowNanos + Math.max(0, delayNanos), made++, task);
    }

    /** Runs the next event. False if there is none. */
    boolean step() {
        if (size == 0) {
            return false;
        }
        nowNanos = times[0];
        Runnable task = tasks[0];
        size--;
        sink(times[size], numbers[size], tasks[size]);
        task.run();
        return true;
    }

    private boolean isBefore(long time, long number, int place) {
        return time != times[place] ? time < times[place] : number < numbers[place];
    }

    private void rise(int from, long time, long number, Runnable task) {
        int place = from;
        while (place > 0) {
            int parent = (place - 1) >>> 1;
            if (!isBefore(time, number, parent)) {
                break;
            }
            move(parent, place);
            place = parent;
        }
        put(place, time, number, task);
    }

    private void sink(long time, long number, Runnable task) {
        int place = 0;
        int child = 1;
        while (child < size) {
            if (child + 1 < size && isBefore(times[child + 1], numbers[child + 1], child)) {
                child++;
            }
            if (isBefore(time, number, child)) {
                break;
            }
            move(child, place);
            place = child;
            child = 2 * place + 1;
        }
        put(place, time, number, task);
    }

    private void move(int from, int to) {
        put(to, times[from], numbers[from], tasks[from]);
    }

    private void put(int place, long time, long number, Runnable task) {
        times[place] = time;
        numbers[place] = number;
        tasks[place] = task;
    }
}
