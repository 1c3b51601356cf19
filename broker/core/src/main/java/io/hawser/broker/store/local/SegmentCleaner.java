package io.hawser.broker.store.local;

import io.hawser.broker.store.local.ExtentTable.KeyedPack;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Fragment;
import io.hawser.core.hop.Outcome;
import io.hawser.core.model.TransferKey;
import io.hawser.store.log.AppendCallback;
import io.hawser.store.log.DetachedPayloadLog;
import io.hawser.store.log.LogPosition;
import io.hawser.store.log.RecordLog;
import io.hawser.store.log.SegmentInfo;
import io.hawser.store.runtime.StoreRuntime;
import io.hawser.store.storage.StorageException;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes the oldest segments that nothing needs any more. It relocates small long-lived records, which would otherwise hold their
 * segment. Payload that is still owed holds its segment, until the log is so much larger than what it keeps that moving the payload
 * is the smaller evil.
 *
 * <p>Thread: index only; payloads are moved by the disk threads.
 */
final class SegmentCleaner {
    private static final Logger LOG = LoggerFactory.getLogger(SegmentCleaner.class);
    private static final int MAX_STATES_IN_FLIGHT = 128;
    private static final int MAX_FRAGMENTS_IN_FLIGHT = 2;
    private static final int MAX_NAMED_AGAIN_IN_FLIGHT = 512;
    private static final int MAX_DELIVERY_ROWS_IN_FLIGHT = 8;
    private static final int WASTED_SEGMENTS = 4;
    /** A row may have been made up anew while it was on its way, when the index was. */
    private static final int STEPS_UNTIL_CARRIED_AGAIN = 50;

    private final RecordLog log;
    private final FragmentLoader loader;
    private final RecordRelocator carrier;
    private final LocalStoreConfig config;
    private final StoreRuntime runtime;
    private final Set<FragmentName> moving = ConcurrentHashMap.newKeySet();
    /** Where fragments are that are damaged: a fragment that comes again is elsewhere. */
    private final Set<LogPosition> unreadable = ConcurrentHashMap.newKeySet();

    private final PayloadTruncation truncation;
    private long tombstonesCarriedFor;
    private int stepsSinceCarried;
    private List<Long> deliveriesUnderWay = List.of();
    private boolean busy;
    private volatile boolean pressed;

    SegmentCleaner(
            RecordLog log,
            FragmentLoader loader,
            RecordRelocator carrier,
            LocalStoreConfig config,
            StoreRuntime runtime) {
        this.log = log;
        this.loader = loader;
        this.carrier = carrier;
        this.config = config;
        this.runtime = runtime;
        this.truncation = new PayloadTruncation(runtime.steadyNanos());
    }

    private record FragmentName(TransferKey key, long index) {}

    /** Whether another step soon would get further. */
    boolean isBusy() {
        return busy;
    }

    /** Space is short: wastes less of it. */
    void press() {
        pressed = true;
    }

    /** Does a bounded piece of work. */
    void step(IndexLifecycle store) throws StorageException {
        busy = false;
        if (!store.guard().isKnown()) {
            return;
        }
        if (log instanceof DetachedPayloadLog placed) {
            truncation.step(store, placed);
        }
        List<SegmentInfo> segments = log.segments();
        if (segments.size() < 2) {
            return;
        }
        long oldest = segments.get(0).number();
        TransferIndexCache set = store.set();
        if (!segments.get(0).sealed() || set.applied().next().segment() <= oldest) {
            return;
        }
        if (log instanceof DetachedPayloadLog) {
            set.flush();
        } else {
            set.flushThoseIn(oldest); // no other row is asked for below
        }
        List<KeyedPack> packs = neededPacks(store, oldest);
        boolean wasteful = log instanceof DetachedPayloadLog placed
                ? hasManyRecords(segments, placed, store)
                : isWasteful(segments, set.keptBytes());
        if (!packs.isEmpty() && !wasteful) {
            pressed = false;
            return;
        }
        busy = true;
        packs.forEach(pack -> move(store, pack));
        carryStates(store, oldest);
        if (packs.isEmpty() && isUnneeded(store, oldest) && store.guard().allows(store.index())) {
            if (!store.isForcedBeyond(oldest)) {
                store.checkpoint();
            }
            log.deleteSegment(oldest);
            LOG.atInfo().addKeyValue("segment", oldest).log("Segment deleted: nothing in it is needed any more");
        }
    }

    /** Whether a log without payloads has many more records than fragments that are needed. */
    private static boolean hasManyRecords(List<SegmentInfo> segments, DetachedPayloadLog placed, IndexLifecycle store) {
        long allowed = WASTED_SEGMENTS + 2 * store.index().runs().fragments() / placed.segmentRecords();
        return segments.size() > allowed;
    }

    /** Whether the log has become much larger than what it keeps. */
    private boolean isWasteful(List<SegmentInfo> segments, long keptBytes) {
        long sum = segments.stream().mapToLong(SegmentInfo::sizeBytes).sum();
        long allowance = pressed
                ? keptBytes / 8 + config.segments().sizeBytes()
                : keptBytes / 2 + WASTED_SEGMENTS * config.segments().sizeBytes();
        return sum > keptBytes + allowance;
    }

    /** Packs in the segment of which a fragment is needed and lies nowhere else; the others are forgotten. */
    private List<KeyedPack> neededPacks(IndexLifecycle store, long oldest) {
        List<KeyedPack> packs = store.index().runs().upTo(oldest, MAX_STATES_IN_FLIGHT);
        while (!packs.isEmpty()) {
            List<KeyedPack> needed =
                    packs.stream().filter(pack -> isNeeded(store, pack)).toList();
            if (!needed.isEmpty()) {
                return needed;
            }
            packs.forEach(store.index().runs()::delete);
            packs = store.index().runs().upTo(oldest, MAX_STATES_IN_FLIGHT);
        }
        return packs;
    }

    private static boolean isNeeded(IndexLifecycle store, KeyedPack keyed) {
        IndexedTransfer state = store.set().find(keyed.key());
        if (state == null && !store.set().isBeingRemoved(keyed.key())) {
            throw new IndexFailedException("table fragment_run names " + keyed.key() + ", which table transfer lacks");
        }
        if (state == null || state.released) {
            return false;
        }
        for (Extent run : keyed.pack().runs()) {
            for (long i = run.start(); i < run.start() + run.count(); i++) {
                LogPosition last = store.set().locate(state, i);
                if (last == null || last.compareTo(run.positionOf(i)) < 0) {
                    throw new IndexFailedException(
                            "a row of table fragment_run is not found by its key, " + keyed.key());
                }
                if (last.equals(run.positionOf(i))) {
                    return true;
                }
            }
        }
        return false;
    }

    private void move(IndexLifecycle store, KeyedPack keyed) {
        IndexedTransfer state = store.set().find(keyed.key());
        for (Extent run : keyed.pack().runs()) {
            for (long i = run.start(); state != null && isRoomToMove() && i < run.start() + run.count(); i++) {
                LogPosition position = run.positionOf(i);
                FragmentName name = new FragmentName(keyed.key(), i);
                if (!moving.contains(name)
                        && !unreadable.contains(position)
                        && position.equals(store.set().locate(state, i))
                        && isRoomToMove()
                        && moving.add(name)) {
                    move(state, name, position, run.strideBytes());
                }
            }
        }
    }

    private boolean isRoomToMove() {
        return moving.size()
                < (log instanceof DetachedPayloadLog ? MAX_NAMED_AGAIN_IN_FLIGHT : MAX_FRAGMENTS_IN_FLIGHT);
    }

    private void move(IndexedTransfer state, FragmentName name, LogPosition position, long length) {
        int expected = state.expectedLength(name.index());
        if (log instanceof DetachedPayloadLog placed && isLengthCertain(state, name.index())) {
            nameAgain(placed, name, position, length, expected);
        } else {
            loader.load(
                    name.key(), name.index(), position, expected, outcome -> moved(name, position, length, outcome));
        }
    }

    /** The last fragment of a transfer whose size is not known yet may be shorter than the others. */
    private static boolean isLengthCertain(IndexedTransfer state, long index) {
        return state.committed() || state.manifest.sizeKnown() || state.durable.contains(index + 1);
    }

    private void nameAgain(
            DetachedPayloadLog placed, FragmentName name, LogPosition place, long placeLength, int payloadLength) {
        placed.appendAgain(
                RecordKind.FRAGMENT,
                name.key(),
                name.index(),
                place,
                placeLength,
                payloadLength,
                RecordCodec.fragment(runtime.nowMillis()),
                movingEnds(name));
    }

    private AppendCallback movingEnds(FragmentName name) {
        return AppendCallback.of((sequence, position) -> moving.remove(name), cause -> moving.remove(name));
    }

    /** On a disk thread. */
    private void moved(FragmentName name, LogPosition place, long placeLength, Outcome<Fragment> outcome) {
        Fragment fragment = outcome.value();
        if (fragment == null) {
            if (isLost(Objects.requireNonNull(outcome.refusal()).code(), name, place)) {
                LOG.atError()
                        .addKeyValue("transfer", name.key())
                        .addKeyValue("fragment", name.index())
                        .log("A fragment in an old segment cannot be read; the segment stays");
                unreadable.add(place); // not retried in this run
            }
            moving.remove(name);
            return;
        }
        if (log instanceof DetachedPayloadLog placed) {
            nameAgain(placed, name, place, placeLength, fragment.length());
        } else {
            byte[] body = RecordCodec.fragment(runtime.nowMillis());
            log.append(RecordKind.FRAGMENT, fragment, body, movingEnds(name));
        }
        fragment.buffer().release();
    }

    /** Whether a fragment that was refused is lost; if not, its segment was deleted meanwhile, or it is tried again at the next step. */
    private boolean isLost(ErrorCode code, FragmentName name, LogPosition place) {
        boolean missing = code == ErrorCode.NOT_FOUND
                && log.segments().stream().anyMatch(segment -> segment.number() == place.segment());
        if (missing) {
            loader.missing(name.key(), name.index(), place, 0);
        }
        return missing || code == ErrorCode.STORAGE_FAILED;
    }

    private void carryStates(IndexLifecycle store, long oldest) {
        TransferIndexCache set = store.set();
        for (TransferKey key : store.index().transfers().transfersUpTo(oldest, MAX_STATES_IN_FLIGHT)) {
            carry(set, PendingRelocations.of(key));
        }
        for (SubscriptionState subscription : set.subscriptions()) {
            if (subscription.segment <= oldest) {
                carry(set, PendingRelocations.of(subscription.spec.name()));
            }
        }
    }

    private void carry(TransferIndexCache set, String what) {
        if (set.carries().inFlight() < MAX_STATES_IN_FLIGHT && set.carries().begin(what)) {
            carrier.carry(what);
        }
    }

    private boolean isUnneeded(IndexLifecycle store, long oldest) {
        TransferIndexCache set = store.set();
        if (set.carries().inFlight() > 0
                || !store.index().transfers().transfersUpTo(oldest, 1).isEmpty()
                || set.subscriptions().stream().anyMatch(subscription -> subscription.segment <= oldest)) {
            return false;
        }
        List<BrokerTombstones.Row> tombstones = set.tombstones().neededFrom(oldest);
        List<Deliveries.Row> deliveries = set.deliveries().neededFrom(oldest, MAX_DELIVERY_ROWS_IN_FLIGHT);
        if (tombstones.isEmpty() && deliveries.isEmpty()) {
            deliveriesUnderWay = List.of();
            tombstonesCarriedFor = 0;
            return true;
        }
        stepsSinceCarried++;
        set.flushDeliveries();
        List<Long> rows = deliveries.stream().map(row -> row.id).toList();
        if (!rows.isEmpty() && (!rows.equals(deliveriesUnderWay) || stepsSinceCarried > STEPS_UNTIL_CARRIED_AGAIN)) {
            rows.stream()
                    .filter(id -> !deliveriesUnderWay.contains(id) || stepsSinceCarried > STEPS_UNTIL_CARRIED_AGAIN)
                    .forEach(id -> log.append(
                            RecordKind.DELIVERIES,
                            null,
                            0,
                            store.index().deliveries().body(id),
                            RecordRelocator.NOTHING));
            deliveriesUnderWay = rows;
        }
        if (tombstonesCarriedFor != oldest || stepsSinceCarried > STEPS_UNTIL_CARRIED_AGAIN) {
            tombstonesCarriedFor = oldest;
            stepsSinceCarried = 0;
            tombstones.forEach(row ->
                    log.append(RecordKind.TOMBSTONES, null, 0, RecordCodec.tombstones(row), RecordRelocator.NOTHING));
        }
        return false;
    }
}
