package io.hawser.it.sim;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.PrimitiveIterator;
import java.util.stream.LongStream;

/** Runs schedules on all processors and sums up what they met. Thread: any one at a time. */
public final class Simulator {
    private static final int MAX_THREADS = 4;

    /**
     * A schedule that went wrong.
     *
     * @param seed which one
     * @param cause how
     */
    public record Failure(long seed, Throwable cause) {}

    private final Map<Fault, Long> counts = new EnumMap<>(Fault.class);
    private final List<Failure> failures = new ArrayList<>();
    private final int maxFailures;
    private long schedules;
    private long steps;
    private long nanos;
    private long cpuNanos;

    /** Creates a simulator that ends a run after so many failures. */
    public Simulator(int maxFailures) {
        this.maxFailures = maxFailures;
    }

    /** Runs the schedules of these seeds. Returns those that went wrong, by ascending seed. */
    public List<Failure> runAll(LongStream seeds, PlantedBug bug) {
        long start = System.nanoTime();
        long cpuStart = processCpuNanos();
        QuietRun quiet = new QuietRun();
        try {
            runOnThreads(seeds.iterator(), bug);
        } finally {
            quiet.end();
        }
        nanos += System.nanoTime() - start;
        cpuNanos += processCpuNanos() - cpuStart;
        failures.sort(Comparator.comparingLong(Failure::seed));
        return List.copyOf(failures);
    }

    private void runOnThreads(PrimitiveIterator.OfLong left, PlantedBug bug) {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < Math.min(MAX_THREADS, Runtime.getRuntime().availableProcessors()); i++) {
            Thread thread = new Thread(() -> work(left, bug), "simulator-" + i);
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            join(thread);
        }
    }

    /** Of the whole process: also of the compiler, the collector and the threads of logs. */
    private static long processCpuNanos() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system
                ? system.getProcessCpuTime()
                : 0;
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("the simulation was interrupted", e);
        }
    }

    private void work(PrimitiveIterator.OfLong left, PlantedBug bug) {
        while (true) {
            long seed;
            synchronized (this) {
                if (!left.hasNext() || failures.size() >= maxFailures) {
                    return;
                }
                seed = left.nextLong();
            }
            run(seed, bug);
        }
    }

    private void run(long seed, PlantedBug bug) {
        SimChain chain = new SimChain(seed, bug, Reduction.NONE);
        chain.runToEnd();
        Throwable failure = chain.failure();
        synchronized (this) {
            schedules++;
            steps += chain.steps();
            chain.counts.forEach((fault, count) -> counts.merge(fault, count, Long::sum));
            if (failure != null) {
                failures.add(new Failure(seed, failure));
            }
        }
    }

    /** How often each fault happened. */
    public Map<Fault, Long> counts() {
        return counts;
    }

    /** How often that one happened. */
    public long count(Fault fault) {
        return counts.getOrDefault(fault, 0L);
    }

    /** Faults that a run of such schedules has to meet and has not: with any it proves nothing of them, and is void. */
    public List<Fault> neverMet(ScheduleKind kind) {
        return Arrays.stream(Fault.values())
                .filter(fault -> fault.kind() == kind && count(fault) == 0)
                .toList();
    }

    /** How many schedules were run. */
    public long schedules() {
        return schedules;
    }

    /** Processor time of all schedules so far, in seconds. */
    public double cpuSeconds() {
        return cpuNanos / 1e9;
    }

    /** How many events they had. */
    public long steps() {
        return steps;
    }

    /** One paragraph for the build's log: how much, how fast, and how often each fault. */
    public String report() {
        return String.format(
                Locale.ROOT,
                "%d schedules, %d events in %.1f s: %s schedules/min; %.1f s of processor time: %s schedules a second of it%n"
                        + "  faults: %s",
                schedules,
                steps,
                nanos / 1e9,
                rate(schedules, nanos / 60e9),
                cpuNanos / 1e9,
                rate(schedules, cpuNanos / 1e9),
                counts);
    }

    /** How many for each unit of time; {@code -} where no time was measured. */
    static String rate(long count, double time) {
        return time > 0 ? String.format(Locale.ROOT, "%.0f", count / time) : "-";
    }
}
