package io.hawser.ops.dashboard;

import io.hawser.core.access.Access;
import io.hawser.core.thread.DaemonThreads;
import io.hawser.ops.http.ResponseBody;
import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Streams the transfers of a node to all viewers of its page. One sampler serves them all; it starts with the first viewer and ends with the last.
 *
 * <p>Thread: any; the sampler is {@code hawser-admin-live}.
 */
public final class LiveFeed {
    /** The most rows that the page shows, the newest. */
    public static final int MAX_ROWS = 10_000;

    private static final int NEWEST_ROWS = 200;
    private static final int MAX_VIEWERS = 32;
    private static final int MAX_VIEWERS_OF_CALLER = 8;
    private static final Logger LOG = LoggerFactory.getLogger(LiveFeed.class);

    private final String node;
    private final Source source;
    private final Set<LiveViewer> viewers = new LinkedHashSet<>();
    private boolean sampling;
    private @Nullable LiveSnapshot latest;

    /** Gives the rows. */
    @FunctionalInterface
    public interface Source {
        /** The newest transfers, in any order. Thread: the sampler; may block. */
        List<LiveRow> newest(int limit) throws IOException;
    }

    /** @param node the name of the node, such as {@code broker} */
    public LiveFeed(String node, Source source) {
        this.node = node;
        this.source = source;
    }

    /**
     * The stream of a caller; empty if there are too many viewers.
     *
     * @param caller its name
     * @param access what it may see
     * @param again its rights by now; the stream ends when they are no longer {@code access}
     */
    public synchronized Optional<ResponseBody> open(String caller, Access access, Supplier<Optional<Access>> again) {
        long own = viewers.stream().filter(each -> each.caller().equals(caller)).count();
        if (viewers.size() >= MAX_VIEWERS || own >= MAX_VIEWERS_OF_CALLER) {
            return Optional.empty();
        }
        LiveViewer viewer = new LiveViewer(this, new LiveEvents(node, access), caller, access, again);
        viewers.add(viewer);
        LiveSnapshot now = latest;
        if (now != null) {
            viewer.offer(now);
        }
        if (!sampling) {
            sampling = true;
            DaemonThreads.start("hawser-admin-live", this::sampleWhileSomebodyLooks);
        }
        return Optional.of(viewer);
    }

    synchronized void left(LiveViewer viewer) {
        viewers.remove(viewer);
        notifyAll();
    }

    private void sampleWhileSomebodyLooks() {
        LiveTable table = new LiveTable(MAX_ROWS);
        SamplePace pace = new SamplePace();
        try {
            do {
                long begin = System.nanoTime();
                boolean whole = pace.isWholeDue(begin);
                List<LiveRow> rows = source.newest(whole ? MAX_ROWS : NEWEST_ROWS);
                publish(table.sample(rows, whole, System.currentTimeMillis(), begin));
                long end = System.nanoTime();
                if (whole) {
                    pace.tookWhole(begin, end);
                }
                awaitNext(SamplePace.pauseNanos(begin, end));
            } while (continues());
        } catch (IOException e) {
            LOG.atDebug().setCause(e).log("the transfers cannot be read; closing the live streams");
            endAll();
        } catch (InterruptedException e) {
            endAll();
        } catch (RuntimeException e) {
            LOG.atWarn().setCause(e).log("sampling the transfers failed; closing the live streams");
            endAll();
        }
    }

    private synchronized boolean continues() {
        if (viewers.isEmpty()) {
            sampling = false;
            latest = null;
        }
        return sampling;
    }

    private void publish(LiveSnapshot snapshot) {
        List<LiveViewer> all;
        synchronized (this) {
            latest = snapshot;
            all = List.copyOf(viewers);
        }
        all.forEach(each -> each.offer(snapshot));
    }

    private synchronized void awaitNext(long nanos) throws InterruptedException {
        long end = System.nanoTime() + nanos;
        for (long left = nanos; left > 0 && !viewers.isEmpty(); left = end - System.nanoTime()) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
    }

    private void endAll() {
        List<LiveViewer> all;
        synchronized (this) {
            all = List.copyOf(viewers);
            viewers.clear();
            sampling = false;
            latest = null;
        }
        all.forEach(LiveViewer::end);
    }
}
