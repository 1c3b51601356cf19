package io.hawser.ops.node;

import io.hawser.core.model.TransferKey;
import io.hawser.core.why.HopWait;
import io.hawser.core.why.WaitBoard;
import io.hawser.core.why.WaitStage;
import io.hawser.ops.observe.WhyPage.HopWhy;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks every {@value WaitBoard#SAMPLE_MILLIS} ms where the transfers in flight at a node wait, and counts it for {@code /why}.
 *
 * <p>Thread: the node's loop.
 */
public final class WaitSampler {
    /** The most transfers of one hop that are looked at each time. */
    public static final int MAX_OF_EACH_HOP = 512;

    private static final Logger LOG = LoggerFactory.getLogger(WaitSampler.class);

    private final WaitBoard board = new WaitBoard();
    private final Source source;

    /** Knows where transfers wait. Asked on the loop. */
    @FunctionalInterface
    public interface Source {
        /** Tells of each transfer in flight, at most {@link #MAX_OF_EACH_HOP} of each hop, where it waits now. */
        void visit(Visitor visitor);
    }

    /** Takes one sample. */
    @FunctionalInterface
    public interface Visitor {
        void waits(String hop, TransferKey key, WaitStage stage);
    }

    public WaitSampler(Source source) {
        this.source = source;
    }

    /** Begins to look. */
    public void start(ScheduledExecutorService loop) {
        var unused = loop.scheduleAtFixedRate(
                this::look, WaitBoard.SAMPLE_MILLIS, WaitBoard.SAMPLE_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** A failure of one look must not end the others: an executor would not run them again. */
    private void look() {
        try {
            long now = System.nanoTime();
            source.visit((hop, key, stage) -> board.sample(hop, key, stage, now));
            board.sweep(now);
        } catch (RuntimeException e) {
            LOG.atError().setCause(e).log("It could not be found where transfers wait. The next look follows");
        }
    }

    /** What holds a transfer back on those hops, where it waits now. */
    public List<HopWhy> why(TransferKey key, List<HopWait> waits) {
        long now = System.nanoTime();
        return waits.stream()
                .map(wait -> HopWhy.of(wait.hop(), board.verdicts(wait, key, now)))
                .toList();
    }
}
