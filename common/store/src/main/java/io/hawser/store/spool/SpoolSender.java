package io.hawser.store.spool;

import io.hawser.core.hop.Fragment;
import io.hawser.core.hop.HopSender;
import io.hawser.core.hop.HopSenderLimits;
import io.hawser.core.model.Commit;
import io.hawser.core.model.FragmentRange;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.TransferKey;
import io.hawser.store.storage.StorageException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Publishes what a spool has: the spool says what is durable there, the hop sender sends it.
 *
 * <p>Thread: the loop.
 */
public final class SpoolSender implements SpoolOutlet {
    private final HopSender sender;
    private final Consumer<StorageException> onStorageFailed;

    /**
     * Creates a publisher.
     *
     * @param onStorageFailed the spool's storage failed: the node must end
     */
    public SpoolSender(Spool spool, HopSenderLimits limits, Consumer<StorageException> onStorageFailed) {
        this.sender = new HopSender(limits, spool, (key, complete) -> {
            spool.commitLeaves(key); // small items pass no gate, and the spool knows that
            return true;
        });
        this.onStorageFailed = onStorageFailed;
    }

    /** The sending end of the hop to the broker. */
    public HopSender sender() {
        return sender;
    }

    @Override
    public void pending(Manifest manifest, FragmentRanges durable, @Nullable Commit commit, boolean fresh) {
        sender.offer(manifest, manifest.number(), fresh);
        for (FragmentRange run : durable.runs()) {
            sender.available(manifest.key(), run, null);
        }
        if (commit != null) {
            sender.commit(manifest.key(), commit, manifest.number(), null);
        }
    }

    @Override
    public void small(Manifest manifest, Commit commit, Fragment inMemory) {
        sender.offer(manifest, manifest.number(), true);
        sender.commit(manifest.key(), commit, manifest.number(), inMemory);
    }

    @Override
    public void available(TransferKey key, FragmentRange range, @Nullable Fragment inMemory) {
        sender.available(key, range, inMemory);
    }

    @Override
    public void committed(TransferKey key, Commit commit) {
        // The transfer took its place in Order by path when it was offered.
        sender.commit(key, commit, 0, null);
    }

    @Override
    public boolean cancelled(TransferKey key, String reason) {
        sender.cancel(key, reason);
        return sender.has(key);
    }

    @Override
    public void recalled(TransferKey key, String reason) {
        sender.recall(key, reason);
    }

    @Override
    public boolean held(TransferKey key, boolean holds) {
        if (holds) {
            return sender.hold(key);
        }
        sender.release(key);
        return true;
    }

    @Override
    public void prioritised(TransferKey key, int priority) {
        sender.prioritise(key, priority);
    }

    @Override
    public void withdrawn(TransferKey key) {
        sender.withdraw(key);
    }

    @Override
    public void suspended(TransferKey key) {
        sender.suspend(key);
    }

    @Override
    public void resumed(TransferKey key) {
        sender.resume(key);
    }

    @Override
    public void storageFailed(StorageException cause) {
        onStorageFailed.accept(cause);
    }
}
