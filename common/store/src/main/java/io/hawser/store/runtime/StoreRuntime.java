package io.hawser.store.runtime;

import io.hawser.store.event.TransferEvents;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * What a store needs of the process around it. Another one makes the same store run in a simulator.
 *
 * <p>Thread: any.
 *
 * @param disk the store's way to disk threads, which the store closes
 * @param clock tells the time of day
 * @param steadyNanos nanoseconds since some moment not later than now, whatever happens to the wall clock
 * @param random makes ids, and jitter; may be asked on any thread
 * @param crashPoints for tests
 * @param events takes what happens to the store's transfers
 */
public record StoreRuntime(
        DiskExecutor disk,
        InstantSource clock,
        LongSupplier steadyNanos,
        RandomGenerator random,
        CrashPoints crashPoints,
        TransferEvents events) {
    /** Without anything that takes events. */
    public StoreRuntime(
            DiskExecutor disk,
            InstantSource clock,
            LongSupplier steadyNanos,
            RandomGenerator random,
            CrashPoints crashPoints) {
        this(disk, clock, steadyNanos, random, crashPoints, TransferEvents.NONE);
    }

    /** Clocks and random numbers of a node. */
    public static StoreRuntime of(DiskExecutor disk) {
        long startNanos = System.nanoTime();
        return new StoreRuntime(
                disk,
                InstantSource.system(),
                () -> System.nanoTime() - startNanos,
                new SecureRandom(),
                CrashPoints.NONE);
    }

    /** The same with crash points. */
    public StoreRuntime withCrashPoints(CrashPoints points) {
        return new StoreRuntime(disk, clock, steadyNanos, random, points, events);
    }

    /** The same with other clocks. */
    public StoreRuntime withClocks(InstantSource wall, LongSupplier steady) {
        return new StoreRuntime(disk, wall, steady, random, crashPoints, events);
    }

    /** The same with other random numbers. */
    public StoreRuntime withRandom(RandomGenerator other) {
        return new StoreRuntime(disk, clock, steadyNanos, other, crashPoints, events);
    }

    /** The same with events told to {@code taker}. */
    public StoreRuntime withEvents(TransferEvents taker) {
        return new StoreRuntime(disk, clock, steadyNanos, random, crashPoints, taker);
    }

    /** The time of day. */
    public long nowMillis() {
        return clock.millis();
    }

    /** Nanoseconds since some moment, whatever happens to the wall clock. */
    public long nowNanos() {
        return steadyNanos.getAsLong();
    }

    /** Milliseconds since that moment. */
    public long steadyMillis() {
        return TimeUnit.NANOSECONDS.toMillis(steadyNanos.getAsLong());
    }
}
