package io.hawser.core.hop;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.collection.EvictingMap;
import io.hawser.core.integrity.Crc32c;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.TransferKey;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Receives small transfers during one session: checks them, stores each in one step, and acks it when it is durable. It looks up a
 * transfer first if the sender may have sent it before.
 *
 * <p>Thread: the receiver's loop.
 */
final class SmallTransferReceiver {
    private static final int MAX_SEEN = 8192;

    /** A packet that arrived. Its buffer counts in the sender's allowance until the last of its transfers is answered. */
    static final class Packet {
        private int unanswered;

        private Packet(int unanswered) {
            this.unanswered = unanswered;
        }
    }

    private final ReceiverStore store;
    private final HopLink link;
    private final Predicate<TransferKey> mayPublish;
    private final ReceiveMeter meter;
    private final SenderAllowance allowance;
    private final Runnable onFault;
    /** Whether this session has cancelled the transfer: a CANCEL that overtook its transfer is not in the store. */
    private final Predicate<TransferKey> isCancelled;
    /** Packets that are being read; each counts in the allowance. */
    private int arriving;
    /** The latest transfers that came in this session. */
    private final Set<TransferKey> seen = EvictingMap.newSet(MAX_SEEN);

    private boolean linkLost;

    SmallTransferReceiver(
            ReceiverStore store,
            HopLink link,
            Predicate<TransferKey> mayPublish,
            ReceiveMeter meter,
            SenderAllowance allowance,
            Runnable onFault,
            Predicate<TransferKey> isCancelled) {
        this.isCancelled = isCancelled;
        this.allowance = allowance;
        this.onFault = onFault;
        this.store = store;
        this.link = link;
        this.mayPublish = mayPublish;
        this.meter = meter;
    }

    /** The session is over: answers nothing any more. */
    void linkDown() {
        linkLost = true;
        while (arriving > 0) {
            giveBack();
        }
    }

    /** Whether the sender may begin at least one of them; refuses each otherwise. */
    boolean hasAllowed(List<SmallItem> items) {
        for (SmallItem item : items) {
            if (whyNot(item) == null) {
                return true;
            }
        }
        for (SmallItem item : items) {
            Refusal refusal = whyNot(item);
            if (refusal != null) {
                allowance.refused(1);
                link.send(new HopMessage.Refuse(item.manifest().key(), refusal));
            }
        }
        return false;
    }

    private @Nullable Refusal whyNot(SmallItem item) {
        Manifest manifest = item.manifest();
        if (mayPublish.test(manifest.key())) {
            return item.isWhole()
                    ? HopReceiver.whyNot(store, manifest)
                    : new Refusal(
                            ErrorCode.MALFORMED, "the commit of a small transfer does not agree with its manifest");
        }
        store.foreignTransfer(manifest.key(), "SMALL");
        return new Refusal(ErrorCode.NOT_ALLOWED, "the transfer belongs to another publisher");
    }

    /** Takes one buffer of the sender's allowance for an arriving packet; false if the allowance is used up. */
    boolean tryTake() {
        boolean taken = allowance.tryTakeBuffer();
        arriving += taken ? 1 : 0;
        return taken;
    }

    /** The packet will not be read. */
    void giveBack() {
        if (arriving > 0) {
            arriving--;
            allowance.giveBuffer();
        }
    }

    /** A packet has arrived for which {@link #tryTake} took a buffer. */
    Packet begin(List<SmallItem> items) {
        boolean counted = arriving > 0;
        arriving -= counted ? 1 : 0;
        if (counted && items.isEmpty()) {
            allowance.giveBuffer();
        }
        return new Packet(counted ? items.size() : Integer.MAX_VALUE);
    }

    /**
     * One small transfer is complete.
     *
     * @param buffer holds its bytes at {@code offset}; borrowed for the call
     * @param closed whether the transfer is finished in this session, for instance because its CANCEL overtook it
     * @param packet the packet that held it
     */
    void received(SmallItem item, FragmentBuffer buffer, int offset, boolean closed, Packet packet) {
        TransferKey key = item.manifest().key();
        meter.receivedSmall(item.length());
        Refusal refusal = linkLost ? null : whyNot(item);
        if (linkLost || refusal != null) {
            allowance.refused(refusal == null ? 0 : 1);
            answer(key, packet, new Outcome<>(null, refusal));
            return;
        }
        if (Crc32c.of(buffer.payload(offset, item.length())) != item.crc32c()) {
            meter.damaged();
            answer(
                    key,
                    packet,
                    Outcome.refused(ErrorCode.STORAGE_FAILED, "it was damaged on its way; it is sent again"));
            onFault.run();
            return;
        }
        Fragment fragment = new Fragment(key, 0, item.length(), item.crc32c(), item.leaf(), buffer, offset);
        boolean first = seen.add(key); // a dead stream may still deliver what another stream has delivered since
        if (first && !item.resumed() && !closed) {
            store.small(item.manifest(), fragment, item.commit(), outcome -> answer(key, packet, outcome));
            return;
        }
        meter.repeated(key, item.length());
        buffer.retain();
        store.lookup(key, outcome -> {
            onLookup(item, fragment, packet, outcome);
            buffer.release();
        });
    }

    private void onLookup(SmallItem item, Fragment fragment, Packet packet, Outcome<StoredTransfer> outcome) {
        TransferKey key = fragment.key();
        Refusal refusal = outcome.refusal();
        if (refusal != null) {
            answer(key, packet, new Outcome<>(null, refusal));
            return;
        }
        FragmentBuffer buffer = fragment.buffer();
        switch (outcome.get().state()) {
            case ABSENT -> {
                if (isCancelled.test(key)) {
                    answer(key, packet, cancelledBefore());
                } else {
                    store.small(item.manifest(), fragment, item.commit(), done -> answer(key, packet, done));
                }
            }
            case COMMITTED -> store.commit(key, item.commit(), done -> answer(key, packet, done));
            case OPEN -> {
                buffer.retain();
                store.open(item.manifest(), opened -> {
                    Refusal notOpen = opened.refusal();
                    if (notOpen == null) {
                        storeInSteps(item, fragment, packet);
                    } else {
                        answer(key, packet, new Outcome<>(null, notOpen));
                    }
                    buffer.release();
                });
            }
            case GONE ->
                answer(
                        key,
                        packet,
                        Outcome.refused(ErrorCode.ID_USED, "the transfer was finished or cancelled before"));
            case CANCELLED -> answer(key, packet, cancelledBefore());
        }
    }

    private static Outcome<List<String>> cancelledBefore() {
        return Outcome.refused(ErrorCode.CANCELLED, "the transfer was cancelled before");
    }

    /** An earlier session had begun it as a large transfer. */
    private void storeInSteps(SmallItem item, Fragment fragment, Packet packet) {
        TransferKey key = fragment.key();
        if (fragment.length() == 0) {
            store.commit(key, item.commit(), done -> answer(key, packet, done));
            return;
        }
        store.fragment(fragment, stored -> {
            Refusal refusal = stored.refusal();
            if (refusal != null && refusal.code() == ErrorCode.DIGEST_MISMATCH) {
                meter.damaged();
                answer(key, packet, Outcome.refused(ErrorCode.STORAGE_FAILED, refusal.detail() + "; it is sent again"));
            } else if (refusal != null) {
                answer(key, packet, new Outcome<>(null, refusal));
            } else {
                store.commit(key, item.commit(), done -> answer(key, packet, done));
            }
        });
    }

    private void answer(TransferKey key, Packet packet, Outcome<List<String>> outcome) {
        if (--packet.unanswered == 0) {
            allowance.giveBuffer();
        }
        if (linkLost) {
            return;
        }
        Refusal refusal = outcome.refusal();
        link.send(refusal == null ? new HopMessage.Committed(key, outcome.get()) : new HopMessage.Refuse(key, refusal));
    }
}
