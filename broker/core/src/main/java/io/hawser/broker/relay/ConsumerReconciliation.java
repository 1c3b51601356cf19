package io.hawser.broker.relay;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.HopLink;
import io.hawser.core.hop.HopSender;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.TransferKey;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Asks a consumer, once in a session, whether it still has what it has committed and not given its last word on: it may run on an older
 * copy of its data. The sender's store gets the answer.
 *
 * <p>Thread: the relay's loop.
 */
final class ConsumerReconciliation {
    /** How many a consumer is asked about in a session. */
    static final int MAX_CHECKED = 10_000;

    /** The question costs some work, and a consumer may come and go as fast as it likes. */
    private static final long ASK_PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);

    private final HopSender sender;
    private final Consumer<Outcome.Callback<List<TransferKey>>> awaitingWord;

    private @Nullable HopLink link;
    /** Whether the consumer of this session has been asked. */
    private boolean isAsked;
    /** When it may be asked again. */
    private long mayAskNanos = Long.MIN_VALUE;

    /**
     * @param awaitingWord finds the transfers to ask about, at most {@link #MAX_CHECKED}
     */
    ConsumerReconciliation(HopSender sender, Consumer<Outcome.Callback<List<TransferKey>>> awaitingWord) {
        this.sender = sender;
        this.awaitingWord = awaitingWord;
    }

    void linkUp(HopLink newLink) {
        link = newLink;
        isAsked = false;
    }

    void linkDown() {
        link = null;
    }

    void tick(long nowNanos) {
        HopLink current = link;
        if (current == null || isAsked || nowNanos < mayAskNanos) {
            return;
        }
        isAsked = true;
        mayAskNanos = nowNanos + ASK_PAUSE_NANOS;
        awaitingWord.accept(outcome -> {
            if (link == current && !outcome.isRefused()) {
                sender.check(outcome.get());
            }
        });
    }

    /** What is said of a transfer that {@code consumer} had and lost. */
    static Refusal lost(String consumer) {
        return new Refusal(
                ErrorCode.NOT_FOUND,
                consumer
                        + " had all of it and no longer has it: was an older copy of its data put back? Send it again");
    }
}
