package io.hawser.store.runtime;

import io.hawser.core.digest.DigestThreads;
import io.hawser.core.meter.DurationHistogram;
import io.hawser.core.thread.DaemonThreads;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The disk threads of one store of a node: {@code hawser-disk-N} for content, journals and names, the node's digest threads for
 * verification, and one thread for each serial queue. A thread starts when it is needed. Callers bound what waits.
 *
 * <p>Thread: any.
 */
public final class ThreadedDisk implements DiskExecutor {
    private static final Logger LOG = LoggerFactory.getLogger(ThreadedDisk.class);
    private static final int CLOSE_SECONDS = 30;

    private final List<ThreadPoolExecutor> pools;
    private final Map<Lane, LaneThreads> lanes = new EnumMap<>(Lane.class);
    private final ScheduledThreadPoolExecutor timer;

    private record LaneThreads(
            Executor executor,
            int bound,
            IntSupplier waiting,
            IntSupplier running,
            Queue<SerialThread> serials,
            DurationHistogram waits) {
        static LaneThreads of(Executor executor, int bound, IntSupplier waiting, IntSupplier running) {
            return new LaneThreads(
                    executor, bound, waiting, running, new ConcurrentLinkedQueue<>(), new DurationHistogram());
        }

        static LaneThreads of(ThreadPoolExecutor pool) {
            return of(pool, pool.getMaximumPoolSize(), pool.getQueue()::size, pool::getActiveCount);
        }
    }

    /** Creates the threads of a store that verifies nothing; otherwise as the other constructor. */
    public ThreadedDisk(String role, int threads) {
        ThreadFactory factory = DaemonThreads.numbered("hawser-disk-");
        ThreadPoolExecutor content = DaemonThreads.pool(factory, threads, new LinkedBlockingQueue<>());
        ThreadPoolExecutor journal = DaemonThreads.pool(factory, 1, new LinkedBlockingQueue<>());
        ThreadPoolExecutor namespace = DaemonThreads.pool(factory, threads, new LinkedBlockingQueue<>());
        this.pools = List.of(content, journal, namespace);
        this.timer = DaemonThreads.timer("hawser-" + role + "-timer");
        timer.setExecuteExistingDelayedTasksAfterShutdownPolicy(false);
        lanes.put(Lane.CONTENT, LaneThreads.of(content));
        lanes.put(Lane.JOURNAL, LaneThreads.of(journal));
        lanes.put(Lane.VERIFICATION, LaneThreads.of(content));
        lanes.put(Lane.NAMESPACE, LaneThreads.of(namespace));
    }

    /**
     * Creates the threads of a store.
     *
     * @param role names the timer's thread, {@code hawser-ROLE-timer}
     * @param threads how many there may be for content, and as many for names
     * @param digests run verification; their owner closes them after this
     */
    public ThreadedDisk(String role, int threads, DigestThreads digests) {
        this(role, threads);
        lanes.put(Lane.VERIFICATION, LaneThreads.of(digests, digests.count(), digests::waiting, digests::running));
    }

    private LaneThreads of(Lane lane) {
        return Objects.requireNonNull(lanes.get(lane));
    }

    @Override
    public boolean execute(Lane lane, Runnable task) {
        try {
            LaneThreads threads = of(lane);
            threads.executor.execute(WaitingTask.now(task, threads.waits));
            return true;
        } catch (RejectedExecutionException e) {
            return false;
        }
    }

    @Override
    public SerialQueue serial(Lane lane, String name) {
        LaneThreads threads = of(lane);
        SerialThread queue = new SerialThread(name, threads.waits, threads.serials::remove);
        threads.serials.add(queue);
        return queue;
    }

    @Override
    public void after(Duration delay, Runnable post) {
        try {
            ScheduledFuture<?> unused = timer.schedule(post, delay.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            LOG.atDebug().log("The store is closing; what was delayed is left to the next start");
        }
    }

    @Override
    public boolean isConcurrent() {
        return true;
    }

    @Override
    public DurationHistogram waits(Lane lane) {
        return of(lane).waits;
    }

    @Override
    public int threads(Lane lane) {
        return of(lane).bound;
    }

    @Override
    public int waiting(Lane lane) {
        LaneThreads threads = of(lane);
        return threads.waiting.getAsInt()
                + threads.serials.stream().mapToInt(SerialThread::waiting).sum();
    }

    @Override
    public int running(Lane lane) {
        LaneThreads threads = of(lane);
        return threads.running.getAsInt()
                + (int) threads.serials.stream().filter(SerialThread::isRunning).count();
    }

    @Override
    public void close() {
        timer.shutdown();
        pools.forEach(
                ThreadPoolExecutor::shutdown); // not shutdownNow: an interrupt would close files under other readers
        long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(CLOSE_SECONDS);
        try {
            boolean ended = true;
            for (ThreadPoolExecutor pool : pools) {
                ended &= pool.awaitTermination(endNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
            }
            if (!ended) {
                LOG.atWarn().log("A disk does not answer; the store is closed without waiting any longer");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
