package io.hawser.common.hop;

import io.hawser.common.buffer.FragmentBuffer;
import io.hawser.common.model.TransferKey;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The small transfers that arrive in one session: checked, stored in one step each, and answered when they are durable. One
 * that may have been sent before is looked up first.
 *
 * <p>Thread: the receiver's loop.
 */
final class SmallIntake {
    private static final int MAX_SEEN = 8192;

    private final ReceiverStore store;
    private final HopLink link;
    private final Predicate<TransferKey> mayPublish;
    private final ReceiveMeter meter;
    /** The latest transfers that came on this session. */
    private final Set<TransferKey> seen = new LinkedHashSet<>();

    private boolean linkLost;

    SmallIntake(ReceiverStore store, HopLink link, Predicate<TransferKey> mayPublish, ReceiveMeter meter) {
        this.store = store;
        this.link = link;
        this.mayPublish = mayPublish;
        this.meter = meter;
    }

    /** A stream that died may still hand over what was sent again on another since. */
    private boolean isFirstHere(TransferKey key) {
        boolean first = seen.add(key);
        if (seen.size() > MAX_SEEN) {
            seen.remove(seen.iterator().next());
        }
        return first;
    }

    /** The session is over: nothing is answered any more. */
    void linkDown() {
        linkLost = true;
    }

    /**
     * One small transfer is complete.
     *
     * @param buffer has its bytes at {@code offset}; borrowed for the call
     * @param closed whether this session is done with the transfer, for instance because its CANCEL overtook it
     */
    void received(SmallItem item, FragmentBuffer buffer, int offset, boolean closed) {
        TransferKey key = item.manifest().key();
        if (!mayPublish.test(key)) {
            link.send(new HopMessage.Refuse(
                    key, new Refusal(ErrorCode.NOT_ALLOWED, "the transfer belongs to another publisher")));
            return;
        }
        if (FragmentFlow.crcOf(buffer.payload(offset, item.length())) != item.crc32c()) {
            meter.damaged();
            link.send(new HopMessage.Refuse(
                    key, new Refusal(ErrorCode.STORAGE_FAILED, "it was damaged on its way; it is sent again")));
            return;
        }
        Fragment fragment = new Fragment(key, 0, item.length(), item.crc32c(), item.leaf(), buffer, offset);
        if (isFirstHere(key) && !item.resumed() && !closed) {
            store.small(item.manifest(), fragment, item.commit(), outcome -> answer(key, outcome));
            return;
        }
        meter.repeated(key, item.length());
        buffer.retain();
        store.lookup(key, outcome -> {
            onLookup(item, fragment, outcome);
            buffer.release();
        });
    }

    private void onLookup(SmallItem item, Fragment fragment, Outcome<StoredTransfer> outcome) {
        TransferKey key = fragment.key();
        Refusal refusal = outcome.refusal();
        if (refusal != null) {
            answer(key, new Outcome<>(null, refusal));
            return;
        }
        switch (outcome.get().state()) {
            case ABSENT -> store.small(item.manifest(), fragment, item.commit(), done -> answer(key, done));
            case COMMITTED -> store.commit(key, item.commit(), done -> answer(key, done));
            case OPEN -> storeInSteps(item, fragment);
            case GONE ->
                answer(key, Outcome.refused(ErrorCode.ID_USED, "the transfer was finished or cancelled before"));
            case CANCELLED -> answer(key, Outcome.refused(ErrorCode.CANCELLED, "the transfer was cancelled before"));
        }
    }

    /** An earlier session had begun it as a large transfer. */
    private void storeInSteps(SmallItem item, Fragment fragment) {
        TransferKey key = fragment.key();
        if (fragment.length() == 0) {
            store.commit(key, item.commit(), done -> answer(key, done));
            return;
        }
        store.fragment(fragment, stored -> {
            Refusal refusal = stored.refusal();
            if (refusal != null) {
                answer(key, new Outcome<>(null, refusal));
            } else {
                store.commit(key, item.commit(), done -> answer(key, done));
            }
        });
    }

    private void answer(TransferKey key, Outcome<List<String>> outcome) {
        if (linkLost) {
            return;
        }
        Refusal refusal = outcome.refusal();
        link.send(refusal == null ? new HopMessage.Committed(key, outcome.get()) : new HopMessage.Refuse(key, refusal));
    }
}
