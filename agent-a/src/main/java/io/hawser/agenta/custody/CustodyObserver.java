package io.hawser.agenta.custody;

import io.hawser.core.model.CompletionRule;
import io.hawser.core.model.TransferKey;
import io.hawser.store.spool.Spool;
import io.hawser.store.spool.TransferSnapshot;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Watches one transfer until it has reached a custody level, or it is known that it will not.
 *
 * <p>Thread: the loop.
 */
public final class CustodyObserver {
    private final Spool spool;
    private final TransferKey key;
    private final CustodyLevel level;
    private final CompletionRule completion;
    private final Consumer<Verdict> listener;
    private Runnable observed = () -> {};
    private boolean over;

    /** How a watch ended. */
    public sealed interface Verdict {
        record Reached() implements Verdict {}

        /** It will not be reached; {@code lacksRight} if it would be with a right that the node has not. */
        record Failed(String reason, boolean lacksRight) implements Verdict {}

        /** It is not delivered until a person at the far end helps. */
        record Dead(String reason) implements Verdict {}
    }

    /** A watch of {@code key} that has not begun. */
    public CustodyObserver(
            Spool spool, TransferKey key, CustodyLevel level, CompletionRule completion, Consumer<Verdict> listener) {
        this.spool = spool;
        this.key = key;
        this.level = level;
        this.completion = completion;
        this.listener = listener;
    }

    /** Begins. The verdict may come inside the call; it comes once. */
    public void begin() {
        spool.state(key).ifPresent(this::look);
        if (!over) {
            observed = spool.observe(key, this::look);
        }
    }

    private void look(TransferSnapshot state) {
        CustodyProgress custody = CustodyProgress.of(state, completion);
        if (custody.has(level)) {
            end(new Verdict.Reached());
        } else if (custody.failure().isPresent()) {
            end(new Verdict.Failed(custody.failure().get(), state.lacksRight()));
        } else if (custody.dead().isPresent()) {
            end(new Verdict.Dead(custody.dead().get()));
        }
    }

    /** The highest level that the transfer has reached by now; empty if it has reached none, or is not known. */
    public Optional<CustodyLevel> reached() {
        return spool.state(key)
                .flatMap(state -> CustodyProgress.of(state, completion).reached());
    }

    private void end(Verdict verdict) {
        if (!over) {
            stop();
            listener.accept(verdict);
        }
    }

    /** No verdict comes any more. */
    public void stop() {
        over = true;
        observed.run();
    }
}
