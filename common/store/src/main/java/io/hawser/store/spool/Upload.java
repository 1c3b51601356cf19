package io.hawser.store.spool;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.hop.Outcome;
import io.hawser.core.model.Commit;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.TransferKey;

/**
 * A transfer while its bytes come in. It ends with {@link #finish}, {@link #abandon} or {@link #cancel}; nothing may follow
 * these. After a refusal of {@link #write} with a code other than {@code DIGEST_MISMATCH} the upload is over and need not be
 * abandoned.
 *
 * <p>Thread: the loop; callbacks on it too, never inside the call that asked.
 */
public interface Upload {
    TransferKey key();

    /** What the transfer is. Nothing of it is durable yet when {@code begin} returns. */
    Manifest manifest();

    /**
     * Where the bytes that are still to come begin: 0 for a new upload; for a resumed one the end of the contiguous durable
     * prefix, in the middle of a fragment if it broke off there.
     */
    long resumePositionBytes();

    /**
     * Reads the beginning of the fragment in which {@link #resumePositionBytes} lies into {@code into}, so that the rest can be
     * added and the whole fragment written. Answers with the length read, 0 if the position is a fragment's boundary.
     */
    void loadPartial(FragmentBuffer into, Outcome.Callback<Integer> done);

    /**
     * Asks for the space of one more fragment of an upload of unknown size; always true if the size is known. False when
     * space is short: read no more, and ask {@link #whenSpace}.
     */
    default boolean reserve() {
        return reserve(1);
    }

    /** The same for all fragments that have begun to come and were not written yet, {@code fragments} in number. */
    boolean reserve(int fragments);

    /**
     * Calls back once, when {@link #reserve} may succeed; or with {@code NO_SPACE} if this upload is ended so that others fit.
     * It is then over.
     */
    void whenSpace(Outcome.Callback<Upload> done);

    /**
     * Writes a fragment: payload bytes {@code [0, length)} of {@code buffer}, which is retained for as long as it is needed and
     * must not change. In any order. Only the last fragment may be shorter than the fragment size; it may be written again as
     * long as it grows. A fragment that is here already is compared: {@code DIGEST_MISMATCH} if it differs. What was here
     * stands, and the upload can then only be left or cancelled: it would be of two versions.
     *
     * @param durable called with the index when it is durable. For a fragment shorter than the fragment size this may be only
     *     with {@link #finish} or {@link #abandon}
     */
    void write(long index, FragmentBuffer buffer, int length, Outcome.Callback<Long> durable);

    /** How many bytes of a fragment are durable here, from its beginning on. */
    int durableLength(long index);

    /** The fragments that are durable here as a whole; a copy. */
    FragmentRanges durableFragments();

    /** The end of the last durable byte in the file, perhaps after gaps. */
    long durableEndBytes();

    /**
     * Reads the {@link #durableLength} bytes of a fragment back into {@code into}, 1 or more, so that bytes that come again can be
     * compared or the rest be added. Answers with the length.
     */
    void load(long index, FragmentBuffer into, Outcome.Callback<Integer> done);

    /**
     * Puts a fragment of which bytes are missing aside, so that its buffer can be used for others: bytes {@code [start, end)} of
     * the payload area, both multiples of a disk's block, go to the fragment's place on the disk with whatever is in its gaps.
     * It counts as absent: nothing of it is durable, and after a restart it is not there. Its space must have been reserved;
     * {@code buffer} is retained until the callback and must not change.
     */
    void park(long index, FragmentBuffer buffer, int start, int end, Outcome.Callback<Long> parked);

    /** Reads what was put aside of a fragment back to its place in {@code into}. It stays aside until the fragment is written. */
    void unpark(long index, FragmentBuffer into, Outcome.Callback<Long> done);

    /**
     * The same as {@link #write} for a fragment that has been put aside from its beginning to {@code length} or further, and to
     * which nothing was added: it needs no buffer of the caller's, and may also be asked for while it is being read back.
     */
    void writeParked(long index, int length, Outcome.Callback<Long> durable);

    /**
     * The object is complete; fragments may still be on their way to the disk.
     *
     * @param durable called with the commit when everything is durable: from then the transfer is accepted. Refused with {@code
     *     MALFORMED} if fragments are missing or the size is not the one that was announced; the transfer is then cancelled.
     *     Refused with {@code DIGEST_MISMATCH} if bytes differed from those that had come before the upload broke off, or more
     *     had come than the object has; it is then left as by {@link #abandonDifferent}
     */
    void finish(long sizeBytes, Outcome.Callback<Commit> durable);

    /** The upload broke off: what is here is kept for a while, invisible, and may be resumed. */
    void abandon(String reason);

    /**
     * The upload broke off, since bytes came that differ from those that are here: as {@link #abandon}, but what is here is
     * dropped if something was added to it, which may be of the other version.
     */
    void abandonDifferent(String reason);

    /** The upload is given up: what is here is dropped. */
    void cancel(String reason);
}
