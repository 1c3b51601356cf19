package io.hawser.broker.store.local;

import io.hawser.common.hop.ErrorCode;
import io.hawser.common.hop.Refusal;
import io.hawser.common.model.Manifest;
import io.hawser.common.model.TransferKey;
import io.hawser.common.storage.StorageException;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Decides what may come in, so that nothing that was admitted ever meets a full disk. What is kept and promised is known from
 * the index; what was admitted or appended so lately that the index has not seen it is counted here until it has.
 *
 * <p>Nothing is remembered of a refusal: when space returns, the next question is answered with yes.
 *
 * <p>Thread: the relay's loop only.
 */
final class Admission {
    private static final long DISK_CHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final long UNUSED_NANOS = TimeUnit.SECONDS.toNanos(60);
    private static final int MAX_UNKNOWN_SIZED = 10_000;
    private static final long NOT_DURABLE = Long.MAX_VALUE;

    private final LocalStoreConfig.Space space;
    private final Figures figures;
    /** By the time of their admission. */
    private final Map<TransferKey, Pending> admitted = new LinkedHashMap<>();
    /** Those of {@link #admitted} whose first record is durable, by its number. */
    private final ArrayDeque<TransferKey> opened = new ArrayDeque<>();

    private final ArrayDeque<Pending> fragments = new ArrayDeque<>();
    private final Set<TransferKey> unknownSized = new LinkedHashSet<>();
    private long admittedBytes;
    private long fragmentBytes;
    private long diskFreeBytes;
    private long diskCheckedNanos;
    private boolean diskChecked;

    Admission(LocalStoreConfig.Space space, Figures figures) {
        this.space = space;
        this.figures = figures;
    }

    /** What admission looks at. */
    interface Figures {
        /** The number of the last record that the sums below contain; read before them. */
        long appliedSequence();

        long keptBytes();

        long reservedBytes();

        /** Free on disk, with what the log can use again. */
        long diskFreeBytes() throws StorageException;

        /** Something was refused for want of space. */
        void pressed();
    }

    /** Bytes that were let in and that the index has not seen yet. */
    static final class Pending {
        private final long bytes;
        private final long sinceNanos;
        private long sequence = NOT_DURABLE;

        Pending(long bytes, long sinceNanos) {
            this.bytes = bytes;
            this.sinceNanos = sinceNanos;
        }
    }

    @Nullable
    Refusal admit(Manifest manifest, long nowNanos) {
        if (admitted.containsKey(manifest.key())) {
            return null;
        }
        if (!manifest.sizeKnown()) {
            rememberUnknownSized(manifest.key());
        }
        long size = manifest.sizeKnown() ? manifest.sizeBytes() : 0;
        if (space.quotaBytes() > 0 && size > space.quotaBytes()) {
            return tooLarge(manifest.name() + " has", size);
        }
        long wanted = manifest.sizeKnown() ? size : manifest.fragmentSizeBytes();
        Refusal refusal = roomFor(manifest.name(), wanted, nowNanos);
        if (refusal == null && size > 0) {
            admitted.put(manifest.key(), new Pending(size, nowNanos));
            admittedBytes += size;
        }
        return refusal;
    }

    private Refusal tooLarge(String what, long bytes) {
        return new Refusal(
                ErrorCode.TOO_LARGE,
                String.format(
                        Locale.ROOT,
                        "%s %,d bytes; the broker's quota is %,d bytes in all. Raise the quota, or send less.",
                        what,
                        bytes,
                        space.quotaBytes()));
    }

    private void rememberUnknownSized(TransferKey key) {
        unknownSized.add(key);
        if (unknownSized.size() > MAX_UNKNOWN_SIZED) {
            Iterator<TransferKey> eldest = unknownSized.iterator();
            eldest.next();
            eldest.remove();
        }
    }

    @Nullable
    Refusal admitFragment(TransferKey key, long heldBytes, long length, long nowNanos) {
        if (space.quotaBytes() > 0 && heldBytes + length > space.quotaBytes()) {
            return tooLarge("the transfer has at least", heldBytes + length);
        }
        rememberUnknownSized(key);
        return roomFor("transfer " + key, length, nowNanos);
    }

    private @Nullable Refusal roomFor(String name, long bytes, long nowNanos) {
        dropSeen(nowNanos);
        long kept = figures.keptBytes() + fragmentBytes;
        long reserved = figures.reservedBytes() + admittedBytes;
        if (space.quotaBytes() > 0 && kept + reserved + bytes > space.quotaBytes()) {
            figures.pressed();
            return new Refusal(
                    ErrorCode.NO_SPACE,
                    String.format(
                            Locale.ROOT,
                            "no room for %,d bytes of %s: of the broker's quota of %,d bytes, %,d are used and %,d promised."
                                    + " It goes on by itself when space returns.",
                            bytes,
                            name,
                            space.quotaBytes(),
                            kept,
                            reserved));
        }
        long free = diskFree(nowNanos);
        if (free - space.headRoomBytes() < reserved + fragmentBytes + bytes) {
            figures.pressed();
            return new Refusal(
                    ErrorCode.NO_SPACE,
                    String.format(
                            Locale.ROOT,
                            "no room for %,d bytes of %s: the broker's disk has %,d bytes free, of which %,d are promised"
                                    + " and %,d kept as head-room. It goes on by itself when space returns.",
                            bytes,
                            name,
                            free,
                            reserved,
                            space.headRoomBytes()));
        }
        return null;
    }

    private long diskFree(long nowNanos) {
        if (!diskChecked || nowNanos - diskCheckedNanos >= DISK_CHECK_NANOS) {
            try {
                diskFreeBytes = figures.diskFreeBytes();
            } catch (StorageException e) {
                diskFreeBytes = 0; // a disk that does not answer takes nothing
            }
            diskChecked = true;
            diskCheckedNanos = nowNanos;
        }
        return diskFreeBytes;
    }

    /** The transfer's first record is durable under this number. */
    void onOpened(TransferKey key, long sequence) {
        Pending pending = admitted.get(key);
        if (pending != null && pending.sequence == NOT_DURABLE) {
            pending.sequence = sequence;
            opened.add(key);
        }
    }

    /** The transfer will not be opened. */
    void onNotOpened(TransferKey key) {
        forget(key);
    }

    private void forget(TransferKey key) {
        Pending pending = admitted.remove(key);
        if (pending != null) {
            admittedBytes -= pending.bytes;
        }
    }

    /** A fragment is being appended; null if its bytes are promised already. */
    @Nullable
    Pending onFragment(TransferKey key, int length, long nowNanos) {
        diskFreeBytes -= length; // until the disk is asked again
        if (!unknownSized.contains(key)) {
            return null;
        }
        Pending pending = new Pending(length, nowNanos);
        fragments.add(pending);
        fragmentBytes += length;
        return pending;
    }

    void onFragmentDurable(@Nullable Pending pending, long sequence) {
        if (pending != null) {
            pending.sequence = sequence;
        }
    }

    private void dropSeen(long nowNanos) {
        long applied = figures.appliedSequence();
        for (Pending first = fragments.peek(); first != null && first.sequence <= applied; first = fragments.peek()) {
            fragmentBytes -= first.bytes;
            fragments.remove();
        }
        for (TransferKey key = opened.peek(); key != null && isSeen(key, applied); key = opened.peek()) {
            forget(key);
            opened.remove();
        }
        dropUnused(nowNanos);
    }

    private boolean isSeen(TransferKey key, long applied) {
        Pending pending = admitted.get(key);
        return pending == null || pending.sequence <= applied;
    }

    /** What was let in long ago and never came. One that came and that the index has not seen yet hides younger ones till it has. */
    private void dropUnused(long nowNanos) {
        Iterator<Pending> eldest = admitted.values().iterator();
        while (eldest.hasNext()) {
            Pending pending = eldest.next();
            if (pending.sequence != NOT_DURABLE || nowNanos - pending.sinceNanos <= UNUSED_NANOS) {
                return;
            }
            admittedBytes -= pending.bytes;
            eldest.remove();
        }
    }
}
