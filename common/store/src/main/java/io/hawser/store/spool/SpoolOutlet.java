package io.hawser.store.spool;

import io.hawser.core.hop.Fragment;
import io.hawser.core.model.Commit;
import io.hawser.core.model.FragmentRange;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.TransferKey;
import io.hawser.store.storage.StorageException;
import org.jspecify.annotations.Nullable;

/**
 * Receives from the spool what there is to send to the next hop: transfers, their fragments as they become durable, and their end.
 * Everything that it receives is durable. Transfers are announced in the ascending order of
 * their numbers wherever they touch a common path.
 *
 * <p>A fragment that is passed in belongs to the call; to keep it, retain its buffer.
 *
 * <p>Thread: the loop.
 */
public interface SpoolOutlet {
    /**
     * A transfer is here and not yet committed at the next hop.
     *
     * @param durable fragments that can be sent now; a tail shorter than the fragment size is among them only with a commit
     * @param commit the commit, or null while it is coming in
     * @param fresh whether it is new; false for what an earlier life of this node left
     */
    void pending(Manifest manifest, FragmentRanges durable, @Nullable Commit commit, boolean fresh);

    /**
     * A new transfer of at most one fragment, complete and in memory. Stands for pending, available and committed; where memory
     * is short, pending with a commit is called instead.
     */
    void small(Manifest manifest, Commit commit, Fragment inMemory);

    /**
     * Fragments of a pending transfer can be sent.
     *
     * @param inMemory the fragment, where the range has one and its bytes are still at hand; otherwise load it
     */
    void available(TransferKey key, FragmentRange range, @Nullable Fragment inMemory);

    /** A pending transfer is complete. Its tail was made available before. */
    void committed(TransferKey key, Commit commit);

    /**
     * A pending transfer is to be dropped everywhere; {@code SenderStore.cancelled} ends it.
     *
     * @return whether the next hop is asked and has not answered yet; false if it never had the transfer, or has no more to say of it
     */
    boolean cancelled(TransferKey key, String reason);

    /** A transfer that the next hop has committed is to be cancelled wherever it is not delivered; {@code SenderStore.recalls} repeats it. */
    void recalled(TransferKey key, String reason);

    /**
     * A pending transfer is held, or goes on.
     *
     * @return whether it does: false if it is to be held and the next hop may have its COMMIT
     */
    boolean held(TransferKey key, boolean holds);

    /** A pending transfer has that priority from now on, 1 (last) to 9 (first). */
    void prioritised(TransferKey key, int priority);

    /** A pending transfer, of which nothing was made available, has ended: the far ends have its bytes already. */
    void withdrawn(TransferKey key);

    /** A pending transfer's upload broke off. It may be resumed or cancelled later; until then it holds back no other. */
    void suspended(TransferKey key);

    /** A suspended transfer's upload resumes. */
    void resumed(TransferKey key);

    /** The journal failed: nothing more will be accepted or announced. The node should end with a distinct exit code. */
    void storageFailed(StorageException cause);
}
