package io.hawser.broker.store.local;

import io.hawser.broker.relay.AdmissionRefusal;
import io.hawser.core.collection.EvictingMap;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferKey;
import io.hawser.store.storage.StorageException;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a transfer or fragment fits, so that nothing admitted ever meets a full disk. The index counts what is kept and
 * reserved; this class adds what was admitted or appended since.
 *
 * <p>Nothing is remembered of a refusal: when space returns, the next question is answered with yes.
 *
 * <p>Thread: the relay's loop only.
 */
final class SpaceAdmission {
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
    private final Map<TransferKey, Topic> unknownSized = new EvictingMap<>(MAX_UNKNOWN_SIZED);
    private final TenantBudgets tenants;
    private long admittedBytes;
    private long fragmentBytes;
    private long diskFreeBytes;
    private long diskCapacityBytes;
    /** {@link Long#MAX_VALUE} while it is not known: then nothing is refused for good. */
    private long diskTotalBytes = Long.MAX_VALUE;

    private long diskCheckedNanos;
    private boolean diskChecked;

    SpaceAdmission(LocalStoreConfig.Space space, Figures figures) {
        this.space = space;
        this.figures = figures;
        this.tenants = new TenantBudgets(figures::tenants, () -> List.of(admitted.values(), fragments));
    }

    interface Figures {
        /** The number of the last record that the sums below contain; read before them. */
        long appliedSequence();

        long keptBytes();

        long reservedBytes();

        /** The same for each quota, and the tenants that they charge. */
        TenantUsage tenants();

        /** Free on disk, with what the log can use again. */
        long diskFreeBytes() throws StorageException;

        /** What the disk would take if nothing of this store were there. */
        long diskCapacityBytes() throws StorageException;

        /** What the disk can hold at most, whoever uses it. */
        long diskTotalBytes() throws StorageException;

        /** Something was refused for want of space. */
        void pressed();
    }

    /** Bytes that were let in and that the index has not seen yet. */
    static final class Pending {
        final TransferKey key;
        final Topic topic;
        final long bytes;
        /** 1 for a whole transfer, 0 for a fragment of one. */
        final int transfers;

        private final long sinceNanos;
        private long sequence = NOT_DURABLE;

        Pending(TransferKey key, Topic topic, long bytes, int transfers, long sinceNanos) {
            this.key = key;
            this.topic = topic;
            this.bytes = bytes;
            this.transfers = transfers;
            this.sinceNanos = sinceNanos;
        }
    }

    @Nullable
    AdmissionRefusal admit(Manifest manifest, BooleanSupplier isWaitedFor, long nowNanos) {
        if (admitted.containsKey(manifest.key())) {
            return null;
        }
        if (!manifest.sizeKnown()) {
            rememberUnknownSized(manifest);
        }
        long size = manifest.sizeKnown() ? manifest.sizeBytes() : 0;
        AdmissionRefusal never = whyNever(manifest, manifest.name() + " has", size, nowNanos);
        if (never != null) {
            return never;
        }
        long wanted = manifest.sizeKnown() ? size : manifest.fragmentSizeBytes();
        AdmissionRefusal lack = roomFor(manifest, manifest.name(), wanted, nowNanos);
        if (lack == null) {
            lack = tenants.whyNotOneMore(manifest, isWaitedFor);
        }
        if (lack == null && (size > 0 || !tenants.quotas(manifest).isEmpty())) {
            Pending pending = new Pending(manifest.key(), manifest.topic(), size, 1, nowNanos);
            tenants.add(pending);
            admitted.put(manifest.key(), pending);
            admittedBytes += size;
        }
        return lack;
    }

    private @Nullable AdmissionRefusal whyNever(Manifest manifest, String what, long bytes, long nowNanos) {
        if (space.quotaBytes() > 0 && bytes > space.quotaBytes()) {
            return tooLarge(
                    what,
                    bytes,
                    "the broker's quota is %,d bytes in all. Raise the quota, or send less.",
                    space.quotaBytes());
        }
        checkDisk(nowNanos);
        long most = diskTotalBytes - space.headRoomBytes();
        if (bytes > 0 && bytes > most) {
            return tooLarge(
                    what,
                    bytes,
                    "the broker's disk can hold %,d bytes in all. Give it a larger one, or send less.",
                    Math.max(0, most));
        }
        return tenants.whyNever(manifest, what, bytes);
    }

    private static AdmissionRefusal tooLarge(String what, long bytes, String why, long mostBytes) {
        return AdmissionRefusal.ofNode(
                ErrorCode.TOO_LARGE, String.format(Locale.ROOT, "%s %,d bytes; " + why, what, bytes, mostBytes));
    }

    /** Whether it would have room if nothing else were kept, as far as the quotas and the disk are known now. */
    boolean fitsAlone(Manifest manifest, long nowNanos) {
        long bytes = manifest.sizeKnown() ? manifest.sizeBytes() : manifest.fragmentSizeBytes();
        return bytes == 0
                || (whyNever(manifest, manifest.name() + " has", bytes, nowNanos) == null
                        && bytes <= diskCapacityBytes - space.headRoomBytes());
    }

    private void rememberUnknownSized(Manifest manifest) {
        unknownSized.put(manifest.key(), manifest.topic());
    }

    @Nullable
    AdmissionRefusal admitFragment(Manifest manifest, long heldBytes, long length, long nowNanos) {
        AdmissionRefusal never = whyNever(manifest, "the transfer has at least", sum(heldBytes, length), nowNanos);
        if (never != null) {
            return never;
        }
        rememberUnknownSized(manifest);
        return roomFor(manifest, "transfer " + manifest.key(), length, nowNanos);
    }

    /** The quotas that a transfer is charged to. */
    Set<String> quotas(Manifest manifest) {
        return tenants.quotas(manifest);
    }

    private @Nullable AdmissionRefusal roomFor(Manifest manifest, String name, long bytes, long nowNanos) {
        dropSeen(nowNanos);
        AdmissionRefusal lack = roomAtAll(name, bytes, nowNanos);
        return lack == null ? tenants.whyNotBytes(manifest, bytes) : lack;
    }

    private @Nullable AdmissionRefusal roomAtAll(String name, long bytes, long nowNanos) {
        long kept = sum(figures.keptBytes(), fragmentBytes);
        long reserved = sum(figures.reservedBytes(), admittedBytes);
        if (space.quotaBytes() > 0 && bytes > space.quotaBytes() - sum(kept, reserved)) {
            figures.pressed();
            return AdmissionRefusal.ofNode(
                    ErrorCode.NO_SPACE,
                    String.format(
                            Locale.ROOT,
                            "no room for %,d bytes of %s: of the broker's quota of %,d bytes, %,d are used and %,d promised."
                                    + " It resumes by itself when space returns.",
                            bytes,
                            name,
                            space.quotaBytes(),
                            kept,
                            reserved));
        }
        long free = diskFree(nowNanos);
        long forPayload = free - space.headRoomBytes();
        if (forPayload < 0 || bytes > forPayload - sum(reserved, fragmentBytes)) {
            figures.pressed();
            return AdmissionRefusal.ofNode(
                    ErrorCode.NO_SPACE,
                    String.format(
                            Locale.ROOT,
                            "no room for %,d bytes of %s: the broker's disk has %,d bytes free, of which %,d are promised"
                                    + " and %,d kept as head-room. It resumes by itself when space returns.",
                            bytes,
                            name,
                            free,
                            reserved,
                            space.headRoomBytes()));
        }
        return null;
    }

    /** The sum of two numbers of bytes, which are not negative; at most {@link Long#MAX_VALUE}. */
    private static long sum(long one, long other) {
        return other > Long.MAX_VALUE - one ? Long.MAX_VALUE : one + other;
    }

    private long diskFree(long nowNanos) {
        checkDisk(nowNanos);
        return diskFreeBytes;
    }

    private void checkDisk(long nowNanos) {
        if (diskChecked && nowNanos - diskCheckedNanos < DISK_CHECK_NANOS) {
            return;
        }
        try {
            diskFreeBytes = figures.diskFreeBytes();
            diskCapacityBytes = figures.diskCapacityBytes();
            diskTotalBytes = figures.diskTotalBytes();
        } catch (StorageException e) {
            diskFreeBytes = 0; // a disk that does not answer takes nothing
        }
        diskChecked = true;
        diskCheckedNanos = nowNanos;
    }

    /** The transfer's first record is durable under this number. */
    void onOpened(TransferKey key, long sequence) {
        Pending pending = admitted.get(key);
        if (pending != null && pending.sequence == NOT_DURABLE) {
            pending.sequence = sequence;
            opened.add(key);
        }
    }

    /** The transfer will not be opened, or the index has seen it. */
    void forget(TransferKey key) {
        Pending pending = admitted.get(key);
        if (pending != null) {
            tenants.remove(pending);
            admitted.remove(key);
            admittedBytes -= pending.bytes;
        }
    }

    /** A fragment is being appended; null if its bytes are promised already. */
    @Nullable
    Pending onFragment(TransferKey key, int length, long nowNanos) {
        diskFreeBytes -= length; // until the disk is asked again
        Topic topic = unknownSized.get(key);
        if (topic == null) {
            return null;
        }
        Pending pending = new Pending(key, topic, length, 0, nowNanos);
        tenants.add(pending);
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
            tenants.remove(first);
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
            tenants.remove(pending);
            admittedBytes -= pending.bytes;
            eldest.remove();
        }
    }
}
