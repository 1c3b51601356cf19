package io.hawser.broker.store.local;

import io.hawser.core.model.TransferKey;
import io.hawser.store.log.AppendCallback;
import io.hawser.store.log.RecordLog;
import io.hawser.store.log.SegmentLog;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Appends the current state of a transfer or a subscription to the end of the log, so that older segments can be deleted.
 *
 * <p>All records of transfers and subscriptions are appended on the relay's loop. So there: wait until nothing that touches
 * the one in question is under way; ask the index; and if still nothing has touched it when the answer comes, append it. If
 * something has, give up; the cleaner asks again.
 *
 * <p>Thread: the relay's loop, but for {@link #carry}.
 */
final class RecordRelocator {
    private static final Logger LOG = LoggerFactory.getLogger(RecordRelocator.class);

    private final RecordLog log;
    private final IndexThread index;
    private final Executor loop;
    private final Map<TransferKey, Integer> underWay = new HashMap<>();
    private final Set<String> watched = new HashSet<>();
    private int subscriptionsUnderWay;

    RecordRelocator(RecordLog log, IndexThread index, Executor loop) {
        this.log = log;
        this.index = index;
        this.loop = loop;
    }

    /** A record is being appended that is about this transfer; or, without a key, about subscriptions. */
    void onAppend(@Nullable TransferKey key) {
        if (key == null) {
            subscriptionsUnderWay++;
            watched.clear();
        } else {
            underWay.merge(key, 1, Integer::sum);
            if (!watched.isEmpty()) {
                watched.remove(PendingRelocations.of(key));
            }
        }
    }

    void onAppended(@Nullable TransferKey key) {
        if (key == null) {
            subscriptionsUnderWay--;
        } else {
            underWay.computeIfPresent(key, (k, count) -> count == 1 ? null : count - 1);
        }
    }

    /** Tries to relocate, and reports the outcome to the index thread. Thread: any. */
    void carry(String what) {
        loop.execute(() -> begin(what));
    }

    private void begin(String what) {
        boolean touched = PendingRelocations.isTransfer(what) && underWay.containsKey(PendingRelocations.keyIn(what));
        if (touched || subscriptionsUnderWay > 0) {
            giveUp(what);
            return;
        }
        watched.add(what);
        index.ask(store -> {
            byte[] body = body(store.set(), what);
            loop.execute(() -> finish(what, body));
        });
    }

    private static byte @Nullable [] body(TransferIndexCache set, String what) {
        if (PendingRelocations.isTransfer(what)) {
            IndexedTransfer state = set.find(PendingRelocations.keyIn(what));
            return state == null ? null : state.toBytes();
        }
        SubscriptionState state = set.subscription(PendingRelocations.nameIn(what));
        return state == null ? null : RecordCodec.carriedSubscription(state.spec);
    }

    private void finish(String what, byte @Nullable [] body) {
        if (!watched.remove(what) || body == null) {
            giveUp(what);
            return;
        }
        if (body.length > SegmentLog.maxBodyBytes()) {
            LOG.atWarn().addKeyValue("what", what).log("A state with very many gaps stays in its old segment");
            return;
        }
        boolean transfer = PendingRelocations.isTransfer(what);
        log.append(
                transfer ? RecordKind.TRANSFER_CARRIED : RecordKind.SUBSCRIPTION_CARRIED,
                transfer ? PendingRelocations.keyIn(what) : null,
                0,
                body,
                NOTHING);
    }

    private void giveUp(String what) {
        index.ask(store -> store.set().carries().onDone(what));
    }

    /** The index sees the record itself, and the log's own listener hears of a failure. */
    static final AppendCallback NOTHING = AppendCallback.of((sequence, position) -> {}, cause -> {});
}
