package io.hawser.store.spool;

import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.hop.SenderStore;
import io.hawser.core.meter.TransferCounts;
import io.hawser.core.model.Commit;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferKey;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Semaphore;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The durable store of a publisher.
 *
 * <p>It is opened by {@code DiskSpool.open}, which blocks while the journal is replayed; then {@link #start} announces what is
 * unfinished. A call that refuses does so with a sentence for the user.
 *
 * <p>Thread: the loop; callbacks on it too, never inside the call that asked.
 */
public interface Spool extends SenderStore, AutoCloseable {
    /** Objects up to this size, and of one fragment, live in the journal and travel as one item. */
    int SMALL_LIMIT_BYTES = 64 << 10;

    /** The publisher's identity. */
    NodeId nodeId();

    /** How often this spool has been opened. */
    long epoch();

    /** Counts what this spool accepted and what became of it, since the start. */
    TransferCounts counts();

    /** Begins to announce; once. Files that are read in place are continued. */
    void start(SpoolOutlet listener);

    /**
     * Begins an upload. An incomplete one of the same topic and name is superseded, that is, cancelled. Nothing is durable when
     * this returns, and nothing is announced before it is.
     *
     * <p>Refusals: {@code NO_SPACE} now, {@code TOO_LARGE} ever, {@code STORAGE_FAILED}.
     */
    Outcome<Upload> begin(UploadRequest request);

    /**
     * Begins an upload from byte 0 of a path of which an upload of the same account may have broken off. If it may be of the same
     * version, it continues as soon as all that is here came again and is the same; at the first difference a new transfer takes over,
     * which gets the fragments that are the same. Until then the upload's key is that of the earlier one. Otherwise, and where a later
     * transfer touches the path, as {@link #begin}.
     *
     * @param waitingPlaces how many fragments may wait, of all such uploads, until the comparison ends; fewer than half of the
     *     buffers of one of them
     */
    Outcome<Upload> restart(UploadRequest request, Semaphore waitingPlaces);

    /** Why {@code sizeBytes} could not be taken now, {@code NO_SPACE} or {@code TOO_LARGE}; empty if they could. Promises nothing. */
    Optional<Refusal> refusalFor(long sizeBytes);

    /**
     * Sends an object of at most {@link #SMALL_LIMIT_BYTES} that is in memory. {@code content} (position to limit) must not
     * change until the callback; how many of these wait is bounded by the caller.
     *
     * @return its key, or a refusal; after a refusal there is no callback
     */
    Outcome<TransferKey> sendSmall(UploadRequest request, ByteBuffer content, Outcome.Callback<Commit> durable);

    /**
     * Sends a file in place: its bytes are not copied. The manifest's size and modification time are the file's. The first pass
     * over it makes each fragment's digest durable before it is announced; from then a change of the file refuses the transfer.
     *
     * @param durable called when the first pass is done and the commit is durable
     * @return its key, or a refusal; after a refusal there is no callback
     */
    Outcome<TransferKey> reference(UploadRequest request, Path source, Outcome.Callback<Commit> durable);

    /** The newest incomplete upload of that account ({@code Attributes.ACCOUNT}), topic and name. */
    Optional<TransferSnapshot> findIncomplete(@Nullable String account, Topic topic, String name);

    /**
     * Where an incomplete upload would resume: the end of the contiguous bytes that are durable. After a crash more may be durable
     * after a gap. Empty if there is no incomplete upload of that key.
     */
    OptionalLong resumePositionBytes(TransferKey key);

    /** Resumes an incomplete upload. {@code NOT_FOUND} if there is none. */
    Outcome<Upload> resume(TransferKey key);

    /** The newest transfer of that topic and name that is coming in or whose content is kept. */
    Optional<TransferSnapshot> find(Topic topic, String name);

    /** The uploads whose bytes are coming in for exactly that name: files and patches. */
    List<TransferSnapshot> comingIn(Topic topic, String name);

    /**
     * What was accepted here, is not delivered yet, and touches {@code path} or a directory above it: files that are complete, and
     * operations. The newest first.
     */
    List<TransferSnapshot> touching(Topic topic, String path);

    /** The last transfer that touched that path and has ended; forgotten after a while. */
    Optional<TransferSnapshot> lastEnded(Topic topic, String path);

    /**
     * Whether transfers of that topic have been accepted in this run and are no longer followed, and their far ends have yet to say what
     * became of them: nobody here knows what is at their paths.
     */
    boolean hasUnfollowed(Topic topic);

    /** Whether something that was accepted here and is not delivered yet touches a path below {@code directory}. */
    boolean isTouchedBelow(Topic topic, String directory);

    /** The unfinished transfer that reads this version of a file in place for that topic and name, if it is the newest of that name. */
    Optional<TransferSnapshot> findReference(Topic topic, String name, SourceFingerprint source);

    /**
     * From now on {@code observer} receives each receipt FAILED, EXPIRED or DEAD of an accepted transfer, when it is durable: also
     * the one with which the spool itself ends a transfer of which it has lost the bytes; its subscription is {@link Receipt#NOBODY}.
     */
    void onFailure(BiConsumer<TransferSnapshot, Receipt> observer);

    /** A sentence for the operator about transfers that the next hop had committed and lost; empty if none in this run waits for anything. */
    Optional<String> lostAtNextHop();

    /** {@link #cancel(TransferKey, String, Outcome.Callback)} for callers that do not wait: it is cancelled as soon as that is durable. */
    default Outcome<TransferKey> cancel(TransferKey key, String reason) {
        return cancel(key, reason, done -> {});
    }

    /**
     * Drops a transfer that the next hop has not committed. Refused with {@code NOT_FOUND} if that is too late.
     *
     * @param done called when it is durable that the transfer is not offered any more and, if the next hop may have its COMMIT, when the
     *     next hop has confirmed the cancel; until then the transfer's state stays as it is. Called with {@code NOT_FOUND} if the next hop's
     *     commit was faster, and then as {@link #recall} goes on, with {@code STORAGE_FAILED} if the cancel could not be journaled. After a refusal there is no callback
     */
    Outcome<TransferKey> cancel(TransferKey key, String reason, Outcome.Callback<TransferKey> done);

    /**
     * Cancels a transfer, also one that the next hop has: wherever it is not delivered. Its receipts, see {@link #observe}, say what came of it:
     * CANCELLED, or DELIVERED where it was too late.
     *
     * @param done called when it is durable that it is cancelled, or is to be. Refused with {@code NOT_FOUND} if it is not known or has ended
     */
    void recall(TransferKey key, String reason, Outcome.Callback<TransferKey> done);

    /**
     * Holds a transfer here, or lets it go on. Later ones of its path wait for one that is held.
     *
     * @param done called when that is durable. Refused with {@code NOT_FOUND} if it is not known or has ended, with {@code NOT_ALLOWED} if the next
     *     hop has it, or may have its COMMIT
     */
    void hold(TransferKey key, boolean holds, Outcome.Callback<TransferKey> done);

    /**
     * Offers a transfer again that the next hop has refused for good, as the next start would.
     *
     * @param done refused with a sentence if it is not such a transfer, or its bytes are not kept
     */
    void retry(TransferKey key, Outcome.Callback<TransferKey> done);

    /**
     * Gives a transfer a priority: those with a lower one let it go first.
     *
     * @param priority 1 (last) to 9 (first)
     * @param done as at {@link #hold}
     */
    void prioritise(TransferKey key, int priority, Outcome.Callback<TransferKey> done);

    /** The COMMIT of a transfer that is not small leaves for the next hop now: from now on only the next hop knows whether it is committed. */
    default void commitLeaves(TransferKey key) {}

    /** The present state of a transfer, if it is known. */
    Optional<TransferSnapshot> state(TransferKey key);

    /** All transfers that are known, by number; finished ones are forgotten after a while. */
    List<TransferSnapshot> states();

    /**
     * Calls {@code observer} with each new state of that transfer until its phase is final, beginning with the one that it has.
     *
     * @return ends the observation; run it as soon as you can, since a phase may last for days
     */
    Runnable observe(TransferKey key, Consumer<TransferSnapshot> observer);

    /**
     * Keeps the content of that transfer readable by {@link #load}, also if the transfer ends meanwhile, until what is returned
     * runs; once. Does nothing if the content is not kept. Space that is short has to wait for it.
     * The content of a small object goes with its journal segment all the same.
     */
    Runnable pin(TransferKey key);

    /** What the spool holds and may hold. */
    SpoolUsage usage();

    /**
     * Ends it: what was announced stays durable, uploads that are under way become incomplete. Waits until the disks are done;
     * not to be called on the loop while the loop is needed for it to end.
     */
    @Override
    void close();
}
