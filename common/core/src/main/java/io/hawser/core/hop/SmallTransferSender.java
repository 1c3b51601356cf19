package io.hawser.core.hop;

import io.hawser.core.model.Commit;
import io.hawser.core.model.TransferKey;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Sends the small transfers of a hop: loads them, packs many into a packet, and sends them again when their stream dies.
 *
 * <p>Thread: the sender's loop.
 */
final class SmallTransferSender {
    private static final byte[] NO_LEAF = new byte[32];
    /** A packet's header holds at most 64 KiB. */
    private static final int MAX_HEADER_BYTES = 60 << 10;

    /** The most header bytes of an item besides its manifest's weight. */
    private static final int ITEM_OVERHEAD_BYTES = 384;

    private static final int FIRST_PAYLOAD_BYTES = 16 << 10;

    private record Sent(OutgoingTransfer transfer, int stream) {}

    /** A small transfer whose bytes are in memory; none for an empty object. */
    private record Loaded(
            OutgoingTransfer transfer, @Nullable Fragment fragment) {}

    private final HopSenderLimits limits;
    private final SenderStore store;
    private final BiConsumer<OutgoingTransfer, Refusal> onLoadRefused;
    /** Whether a transfer may be sent now by Order by path; otherwise the sender offers it again in its turn. */
    private final Predicate<OutgoingTransfer> maySend;

    private final SendMeter meter;

    private final TransferQueue waiting = new TransferQueue();
    private final ArrayDeque<Loaded> ready = new ArrayDeque<>();
    private final Map<TransferKey, Sent> sent = new HashMap<>();
    private int loading;
    private long busyBytes;
    private @Nullable HopLink link;
    private long generation;

    SmallTransferSender(
            HopSenderLimits limits,
            SenderStore store,
            BiConsumer<OutgoingTransfer, Refusal> onLoadRefused,
            Predicate<OutgoingTransfer> maySend,
            SendMeter meter) {
        this.meter = meter;
        this.limits = limits;
        this.store = store;
        this.onLoadRefused = onLoadRefused;
        this.maySend = maySend;
    }

    void linkUp(HopLink newLink) {
        link = newLink;
    }

    void linkDown() {
        link = null;
        generation++;
        loading = 0;
        busyBytes = 0;
        waiting.clear();
        ready.forEach(SmallTransferSender::release);
        ready.clear();
        sent.clear();
    }

    /** Queues a small transfer, unless it is queued or in flight already. */
    void offer(OutgoingTransfer transfer) {
        if (!transfer.inSmallFlow) {
            transfer.inSmallFlow = true;
            waiting.addLast(transfer);
        }
        pump();
    }

    /** Takes a transfer whose priority is about to change out of the queue. Whether it was there. */
    boolean unqueue(OutgoingTransfer transfer) {
        boolean queued = waiting.remove(transfer);
        transfer.inSmallFlow &= !queued;
        return queued;
    }

    /** The transfer is done, refused or cancelled. */
    void done(OutgoingTransfer transfer) {
        if (sent.remove(transfer.key()) != null || dropReady(transfer)) {
            busyBytes -= commitOf(transfer).sizeBytes();
        } else {
            waiting.remove(transfer);
        }
        transfer.inSmallFlow = false;
        transfer.smallRound++;
        pump();
    }

    private boolean dropReady(OutgoingTransfer transfer) {
        return ready.removeIf(loaded -> {
            boolean same = loaded.transfer == transfer;
            if (same) {
                release(loaded);
            }
            return same;
        });
    }

    void streamLost(int stream) {
        List<OutgoingTransfer> again = new ArrayList<>();
        sent.values().removeIf(item -> {
            if (item.stream == stream) {
                again.add(item.transfer);
                busyBytes -= commitOf(item.transfer).sizeBytes();
            }
            return item.stream == stream;
        });
        again.forEach(transfer -> transfer.inSmallFlow = false);
        again.forEach(this::offer);
    }

    /** Whether it was sent and is not answered. */
    boolean isSent(TransferKey key) {
        return sent.containsKey(key);
    }

    /** Whether loaded ones wait for a stream. */
    boolean hasReady() {
        return !ready.isEmpty();
    }

    OutboundPacket.@Nullable OfSmall next(int stream) {
        if (ready.isEmpty()) {
            return null;
        }
        List<SmallItem> items = new ArrayList<>();
        int weight = 0;
        int most = packetBytes(stream);
        ByteBuf payload = ByteBufAllocator.DEFAULT.directBuffer(
                Math.min(FIRST_PAYLOAD_BYTES, limits.smallPacketBytes()), limits.smallPacketBytes());
        while (!ready.isEmpty() && items.size() < HopSenderLimits.MAX_SMALL_ITEMS) {
            Loaded first = ready.getFirst();
            weight += ITEM_OVERHEAD_BYTES + first.transfer.manifest.weightBytes();
            boolean fits = payload.readableBytes() + length(first) <= most && weight <= MAX_HEADER_BYTES;
            if (!fits && !items.isEmpty()) {
                break;
            }
            ready.removeFirst();
            items.add(pack(first, payload));
            sent.put(first.transfer.key(), new Sent(first.transfer, stream));
        }
        pump();
        return new OutboundPacket.OfSmall(items, payload);
    }

    /** The packet size for the stream: the receiver can use no part of a packet before all of it is there. */
    private int packetBytes(int stream) {
        int piece = link == null ? Integer.MAX_VALUE : link.packetBytes(stream);
        return Math.min(limits.smallPacketBytes(), Math.max(limits.minPacketBytes(), piece));
    }

    private SmallItem pack(Loaded loaded, ByteBuf payload) {
        OutgoingTransfer transfer = loaded.transfer;
        Commit commit = commitOf(transfer);
        Fragment fragment = loaded.fragment;
        boolean again = transfer.begun.contains(0);
        int crc = 0;
        byte[] leaf = NO_LEAF;
        if (fragment != null) {
            payload.writeBytes(fragment.buffer().payload(fragment.offset(), fragment.length()));
            crc = fragment.crc32c();
            leaf = fragment.leaf();
            transfer.sentBytes += fragment.length();
            meter.sent(fragment.length());
            if (again) {
                meter.resent(fragment.length());
                transfer.countResent(0, fragment.length());
            }
            release(loaded);
        }
        transfer.begun.add(0);
        transfer.commitSent = true;
        boolean resumed = !transfer.fresh;
        transfer.fresh = false;
        return new SmallItem(transfer.manifest, commit, crc, leaf, resumed);
    }

    private void pump() {
        while (link != null && !waiting.isEmpty() && hasRoom()) {
            OutgoingTransfer transfer = waiting.removeFirst();
            if (!maySend.test(transfer)) {
                transfer.inSmallFlow = false;
                continue;
            }
            busyBytes += commitOf(transfer).sizeBytes();
            Fragment inMemory = transfer.inMemory;
            if (commitOf(transfer).sizeBytes() == 0) {
                becomeReady(new Loaded(transfer, null));
            } else if (inMemory != null) {
                inMemory.buffer().retain();
                becomeReady(new Loaded(transfer, inMemory));
            } else {
                loading++;
                long started = generation;
                int round = transfer.smallRound;
                store.load(transfer.key(), 0, outcome -> onLoaded(transfer, started, round, outcome));
            }
        }
    }

    /** Small transfers have a window of their own: a number, and half the bytes of the fragments' window. */
    private boolean hasRoom() {
        return loading + ready.size() + sent.size() < limits.smallTransfers() && busyBytes < limits.windowBytes() / 2;
    }

    private void onLoaded(OutgoingTransfer transfer, long started, int round, Outcome<Fragment> outcome) {
        boolean current = started == generation;
        if (current) {
            loading--;
        }
        boolean wanted = current && round == transfer.smallRound && transfer.state() == OutgoingTransfer.State.SMALL;
        Refusal refusal = outcome.refusal();
        if (refusal == null && wanted) {
            becomeReady(new Loaded(transfer, outcome.get()));
            return;
        }
        if (refusal == null) {
            outcome.get().buffer().release();
        }
        if (current) {
            busyBytes -= commitOf(transfer).sizeBytes();
            if (refusal != null && wanted) {
                onLoadRefused.accept(transfer, refusal);
            }
            pump();
        }
    }

    private void becomeReady(Loaded loaded) {
        ready.add(loaded);
        if (link != null) {
            link.wake();
        }
    }

    private static void release(Loaded loaded) {
        if (loaded.fragment != null) {
            loaded.fragment.buffer().release();
        }
    }

    private static int length(Loaded loaded) {
        return loaded.fragment == null ? 0 : loaded.fragment.length();
    }

    private static Commit commitOf(OutgoingTransfer transfer) {
        Commit commit = transfer.commit;
        if (commit == null) {
            throw new IllegalStateException("a small transfer travels with its commit");
        }
        return commit;
    }
}
