package io.hawser.agenta.upload;

import io.hawser.core.model.TransferKey;
import io.hawser.core.why.WaitStage;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The uploads that have a client now, with where each waits.
 *
 * <p>Thread: the loop.
 */
public final class ActiveUploads {
    private final Map<TransferKey, Supplier<WaitStage>> stages = new HashMap<>();

    /** Bytes of an upload may come from now on. {@code stage} says at any time where it waits. */
    public void began(TransferKey key, Supplier<WaitStage> stage) {
        stages.put(key, stage);
    }

    /** The upload has no client any more. */
    public void ended(TransferKey key) {
        stages.remove(key);
    }

    /** Where it waits; null if it has no client. */
    public @Nullable WaitStage stage(TransferKey key) {
        Supplier<WaitStage> stage = stages.get(key);
        return stage == null ? null : stage.get();
    }

    /** Where each of at most {@code most} uploads waits. */
    public void visit(int most, BiConsumer<TransferKey, WaitStage> visitor) {
        int left = most;
        for (Map.Entry<TransferKey, Supplier<WaitStage>> each : stages.entrySet()) {
            if (--left < 0) {
                return;
            }
            visitor.accept(each.getKey(), each.getValue().get());
        }
    }
}
