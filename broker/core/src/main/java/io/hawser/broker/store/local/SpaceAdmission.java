package io.hawser.broker.store.local;

import io.hawser.core.collection.EvictingMap;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.Printable;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferKey;
import io.hawser.store.space.SpaceAnswer;
import io.hawser.store.space.SpaceBudget;
import io.hawser.store.space.SpaceRole;
import io.hawser.store.storage.StorageException;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
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

    private final SpaceBudget budget;
    private final long headRoomBytes;
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
    private long diskCapacityBytes;
    private long diskCheckedNanos;
    private boolean diskChecked;

    SpaceAdmission(LocalStoreConfig.Space space, Figures figures) {
        long quota = space.quotaBytes() == LocalStoreConfig.NO_QUOTA ? Long.MAX_VALUE : space.quotaBytes();
        this.headRoomBytes = space.headRoomBytes();
        this.budget = new SpaceBudget(SpaceRole.RELAY, quota, headRoomBytes);
        this.figures = figures;
        this.tenants = new TenantBudgets(figures::tenants, () -> List.of(admitted.values(), fragments));
    }

    interface Figures {
        /** What the index counts. */
        Counted counted();

        /** The same for each quota, and the tenants that they charge. */
        TenantUsage tenants();

        Disk disk() throws StorageException;

        /** Something was refused for want of space. */
        void pressed();
    }

    /** @param appliedSequence the number of the last record that the sums contain; read before them */
    record Counted(long appliedSequence, long keptBytes, long reservedBytes) {}

    /**
     * The disk.
     *
     * @param freeBytes what is free, with what the log can use again
     * @param capacityBytes what it would take if nothing of this store were there
     * @param totalBytes what it can hold at most, also outside this store
     */
    record Disk(long freeBytes, long capacityBytes, long totalBytes) {}

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

    SpaceAnswer admit(Manifest manifest, BooleanSupplier isWaitedFor, long nowNanos) {
        if (admitted.containsKey(manifest.key())) {
            return SpaceAnswer.yes();
        }
        rememberIfUnknownSized(manifest);
        long size = manifest.sizeKnown() ? manifest.sizeBytes() : 0;
        SpaceAnswer answer = admitEver(manifest, manifest.name() + " has", size, nowNanos)
                .and(() -> roomFor(manifest, neededBytes(manifest), nowNanos))
                .and(() -> tenants.admitOneMore(manifest, isWaitedFor));
        if (answer.isYes() && (size > 0 || !tenants.quotas(manifest).isEmpty())) {
            Pending pending = new Pending(manifest.key(), manifest.topic(), size, 1, nowNanos);
            tenants.add(pending);
            admitted.put(manifest.key(), pending);
            admittedBytes += size;
        }
        return answer;
    }

    private static long neededBytes(Manifest manifest) {
        return manifest.sizeKnown() ? manifest.sizeBytes() : manifest.fragmentSizeBytes();
    }

    private SpaceAnswer admitEver(Manifest manifest, String what, long bytes, long nowNanos) {
        checkDisk(nowNanos);
        return budget.admitEver(what, bytes).and(() -> tenants.admitEver(manifest, what, bytes));
    }

    /** Whether it would have room if nothing else were kept, as far as the quotas and the disk are known now. */
    boolean fitsAlone(Manifest manifest, long nowNanos) {
        long bytes = neededBytes(manifest);
        return bytes == 0
                || (admitEver(manifest, manifest.name(), bytes, nowNanos).isYes()
                        && bytes <= diskCapacityBytes - headRoomBytes);
    }

    private void rememberIfUnknownSized(Manifest manifest) {
        if (!manifest.sizeKnown()) { // the room of others is reserved
            unknownSized.put(manifest.key(), manifest.topic());
        }
    }

    SpaceAnswer admitFragment(Manifest manifest, long heldBytes, long length, long nowNanos) {
        return admitEver(manifest, manifest.name() + " has at least", sum(heldBytes, length), nowNanos)
                .and(() -> {
                    rememberIfUnknownSized(manifest);
                    return roomFor(manifest, length, nowNanos);
                });
    }

    /** The quotas that a transfer is charged to. */
    Set<String> quotas(Manifest manifest) {
        return tenants.quotas(manifest);
    }

    private SpaceAnswer roomFor(Manifest manifest, long bytes, long nowNanos) {
        Counted index = figures.counted();
        dropSeen(index.appliedSequence(), nowNanos);
        checkDisk(nowNanos);
        budget.counted(index.keptBytes(), sum(sum(index.reservedBytes(), admittedBytes), fragmentBytes));
        SpaceAnswer answer =
                budget.isBelowHeadRoom() // what has no bytes writes records, and the head-room is not for these
                        ? budget.belowHeadRoom()
                        : budget.admit(Printable.shortly(manifest.name()), bytes);
        if (!answer.isYes()) {
            figures.pressed();
        }
        return answer.and(() -> tenants.admitBytes(manifest, bytes));
    }

    /** The sum of two numbers of bytes, which are not negative; at most {@link Long#MAX_VALUE}. */
    private static long sum(long one, long other) {
        return other > Long.MAX_VALUE - one ? Long.MAX_VALUE : one + other;
    }

    private void checkDisk(long nowNanos) {
        if (diskChecked && nowNanos - diskCheckedNanos < DISK_CHECK_NANOS) {
            return;
        }
        try {
            Disk disk = figures.disk();
            diskCapacityBytes = disk.capacityBytes();
            budget.measured(disk.freeBytes(), disk.totalBytes());
        } catch (StorageException e) {
            budget.measured(0); // a disk that does not answer takes nothing
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
        budget.written(length); // until the disk is asked again
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

    private void dropSeen(long applied, long nowNanos) {
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
