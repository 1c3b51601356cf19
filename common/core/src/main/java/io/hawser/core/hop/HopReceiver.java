package io.hawser.core.hop;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.collection.EvictingMap;
import io.hawser.core.integrity.Crc32c;
import io.hawser.core.model.Commit;
import io.hawser.core.model.Extension;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.TransferKey;
import io.hawser.core.why.WaitStage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The receiving end of a hop during one session: places packets in memory, checks them, passes complete fragments to the store and
 * acks what the store has made durable. All state that outlives the session is in the store.
 *
 * <p>The states of a transfer are drawn at {@link IncomingTransfer}. The messages are in docs/reference/protocol-hop.md.
 *
 * <p>Thread: the owner's loop.
 */
public final class HopReceiver {
    private static final int MAX_CLOSED = 8192;
    /** The most pieces of one fragment: an honest sender makes packets of 16 KiB or more. */
    static final int MAX_PIECES = 4096;
    /** A manifest counts as one more open transfer for each so many bytes: it is in memory until the commit. */
    private static final int MANIFEST_BYTES_PER_SLOT = 1024;
    /** The most runs of durable fragments, with gaps between them, of a session's transfers together. */
    static final int MAX_RUNS = 32_768;
    /** So many may each have. */
    private static final int RUNS_OF_EACH = 64;
    /** So many fragments in a row that do not agree with their digests are no accident of a disk. */
    static final int MAX_MISMATCHES = 64;

    private final ReceiverStore store;
    private final FragmentBufferPool pool;
    private final HopLink link;
    private final Predicate<TransferKey> mayPublish;
    private final Map<TransferKey, IncomingTransfer> incoming = new HashMap<>();
    /** Finished transfers, and whether this session cancelled them: their late packets are discarded. */
    private final Map<TransferKey, Boolean> closed = new EvictingMap<>(MAX_CLOSED);

    private final ReceiveMeter meter;
    private final SmallTransferReceiver smalls;
    private final SenderAllowance allowance;
    private final InvalidPacketLimit invalidPackets = new InvalidPacketLimit();
    private final ReceiveBuffers buffers;
    private final EarlyPackets early;
    private final ProgressReporter progress;

    /** Transfers of the current CHECK whose state the store has yet to tell. */
    private int pendingChecks;

    /** The runs of durable fragments of all incoming transfers. */
    private int runs;

    private boolean linkLost;

    /**
     * Creates a receiver and grants its sender credit.
     *
     * @param store the durable store of this end
     * @param pool the memory in which fragments are assembled
     * @param link the session
     * @param mayPublish the transfers that this sender may publish
     * @param windowBytes credit: the most bytes of fragments in flight
     * @param meter outlives the session
     * @param allowance the sender's limits besides its credit
     */
    public HopReceiver(
            ReceiverStore store,
            FragmentBufferPool pool,
            HopLink link,
            Predicate<TransferKey> mayPublish,
            long windowBytes,
            ReceiveMeter meter,
            SenderAllowance allowance) {
        this.meter = meter;
        this.allowance = allowance;
        this.buffers = new ReceiveBuffers(pool, allowance, windowBytes);
        this.early = new EarlyPackets(pool.capacity());
        this.store = store;
        this.pool = pool;
        this.link = link;
        this.mayPublish = mayPublish;
        this.progress = new ProgressReporter(store, link, allowance);
        this.smalls =
                new SmallTransferReceiver(store, link, mayPublish, meter, allowance, this::fault, this::isCancelled);
        link.send(new HopMessage.Credit(windowBytes));
    }

    /** Changes the sender's credit. */
    public void credit(long windowBytes) {
        buffers.credit(windowBytes);
        link.send(new HopMessage.Credit(windowBytes));
    }

    /** Handles a message from the sender. Ignores messages that only a sender gets. */
    public void on(HopMessage message) {
        if (linkLost) {
            return;
        }
        if (message instanceof HopMessage.Open open) {
            onOpen(open.manifest(), open.resumed());
        } else if (message instanceof HopMessage.CommitTransfer commit) {
            onCommit(commit.key(), commit.commit());
        } else if (message instanceof HopMessage.Cancel cancel) {
            onCancel(cancel.key(), cancel.reason());
        } else if (message instanceof HopMessage.Recall recall && isAllowed(recall.key(), "RECALL")) {
            close(recall.key(), true);
            store.recall(recall.key(), recall.reason());
        } else if (message instanceof HopMessage.ReceiptAck ack && isAllowed(ack.key(), "RECEIPT_ACK")) {
            store.receiptAcked(ack.key(), ack.subscription(), ack.status());
        } else if (message instanceof HopMessage.Check check) {
            onCheck(check.keys());
        } else if (message instanceof HopMessage.AskProgress ask
                && ask.keys().stream().allMatch(key -> isAllowed(key, "ASK_PROGRESS"))) {
            progress.answer(ask.keys());
        }
    }

    /** Answers which of the sender's transfers are still here. A sender has one CHECK outstanding; another one is ignored. */
    private void onCheck(List<TransferKey> keys) {
        boolean outstanding = pendingChecks > 0 || keys.isEmpty();
        if (outstanding || !keys.stream().allMatch(key -> isAllowed(key, "CHECK"))) {
            return;
        }
        keys.forEach(key -> allowance.messageReceived()); // each costs a look-up
        pendingChecks = keys.size();
        List<TransferKey> absent = new ArrayList<>();
        List<TransferKey> finished = new ArrayList<>();
        for (TransferKey key : keys) {
            store.state(key, outcome -> {
                StoredTransfer.State state = outcome.isRefused() ? StoredTransfer.State.COMMITTED : outcome.get();
                switch (state) {
                    case ABSENT, OPEN -> absent.add(key);
                    case GONE, CANCELLED -> finished.add(key);
                    case COMMITTED -> {}
                }
                if (--pendingChecks == 0 && !linkLost) {
                    allowance.refused(absent.size());
                    link.send(new HopMessage.Checked(absent, finished));
                }
            });
        }
    }

    /** Whether the transfer is the sender's own; refuses it otherwise. */
    private boolean isAllowed(TransferKey key, String message) {
        boolean own = mayPublish.test(key);
        if (!own) {
            refuseForeign(key, message);
        }
        return own;
    }

    private void refuseForeign(TransferKey key, String message) {
        store.foreignTransfer(key, message);
        link.send(new HopMessage.Refuse(
                key, new Refusal(ErrorCode.NOT_ALLOWED, "the transfer belongs to another publisher")));
    }

    /** Sends a receipt. The store repeats it in each session until the sender acknowledges it. */
    public void receipt(Receipt receipt) {
        if (!linkLost) {
            link.send(new HopMessage.ReceiptNotice(receipt));
        }
    }

    /** Asks the sender again for a fragment that was acked and has been damaged here. Its transfer may be committed. */
    public void reportDamage(TransferKey key, long index) {
        if (!linkLost) {
            IncomingTransfer transfer = incoming.get(key);
            if (transfer != null) {
                transfer.durable.remove(index, index + 1); // or the new copy would be discarded as a repetition
            }
            link.send(new HopMessage.Nack(key, index));
        }
    }

    /** Refuses the transfer: the sender opens it again later, or drops it if the refusal is not retriable. */
    public void refused(TransferKey key, Refusal refusal) {
        if (!linkLost) {
            link.send(new HopMessage.Refuse(key, refusal));
        }
    }

    /** The session is over: releases its memory. The store keeps the buffers that it is writing. */
    public void linkDown() {
        linkLost = true;
        smalls.linkDown();
        progress.linkDown();
        incoming.forEach(this::release);
        incoming.clear();
        buffers.linkDown();
    }

    /** 100 ms have passed: drops the packets that have waited too long for their OPEN, and asks for them again. */
    public void tick() {
        invalidPackets.tick();
        if (linkLost) {
            return;
        }
        for (TransferKey key : early.tick()) {
            IncomingTransfer transfer = incoming.get(key);
            if (transfer != null) {
                transfer.indexesHere().forEach(index -> link.send(new HopMessage.Nack(key, index)));
                drop(key);
                fault();
            }
        }
    }

    /** Counts a fault that a damaged wire can cause too; ends the session at too many. */
    private void fault() {
        if (invalidPackets.isExceededByOneMore()) {
            allowance.sessionEndedForFaults();
            linkDown();
            link.end("more than " + InvalidPacketLimit.MAX_FAULTS_PER_MINUTE
                    + " packets in a minute were damaged or of transfers that were never announced");
        }
    }

    // --- status
    /** Where each of at most {@code most} transfers that come in waits now. */
    public void stages(int most, BiConsumer<TransferKey, WaitStage> visitor) {
        boolean full = isFullOfWrites();
        int left = most;
        for (Map.Entry<TransferKey, IncomingTransfer> each : incoming.entrySet()) {
            if (--left < 0) {
                return;
            }
            visitor.accept(each.getKey(), stage(each.getValue(), full));
        }
    }

    /** Where a transfer that comes in waits now: for the log, for this sender's rate limit, or for more; empty if it is not open here. */
    public Optional<WaitStage> stage(TransferKey key) {
        return Optional.ofNullable(incoming.get(key)).map(transfer -> stage(transfer, isFullOfWrites()));
    }

    /** What a transfer that comes in is; empty if it was not announced in this session, or is over here. */
    public Optional<Manifest> manifest(TransferKey key) {
        return Optional.ofNullable(incoming.get(key)).map(transfer -> transfer.manifest);
    }

    /** Whether what the store is writing takes half of the credit, so that a transfer waits for the log before it gets any. */
    private boolean isFullOfWrites() {
        long bytes = 0;
        for (IncomingTransfer transfer : incoming.values()) {
            Manifest manifest = transfer.manifest;
            bytes += manifest == null ? 0 : transfer.writing.count() * manifest.fragmentSizeBytes();
        }
        return 2 * bytes >= buffers.windowBytes();
    }

    private WaitStage stage(IncomingTransfer transfer, boolean full) {
        boolean isBeingStored = !transfer.writing.isEmpty()
                || transfer.state() == IncomingTransfer.State.LOOKING_UP
                || transfer.state() == IncomingTransfer.State.COMMITTING;
        if (isBeingStored || full) {
            return WaitStage.LOG;
        }
        return allowance.isOverRate() ? WaitStage.RATE_LIMIT : WaitStage.NO_INPUT;
    }

    // --- packets
    /** Decides where the bytes of an arriving packet go. */
    public PacketPlacement place(PacketHeader header) {
        TransferKey key = header.key();
        if (linkLost) {
            return new PacketPlacement.Discard();
        }
        if (closed.containsKey(key) || !mayPublish.test(key)) {
            return discardUnwanted();
        }
        if (allowance.isOverRate()) {
            return new PacketPlacement.AwaitAllowance();
        }
        if (header.fragmentLength() > pool.payloadCapacity()) {
            refuse(
                    key,
                    ErrorCode.TOO_LARGE,
                    "fragments of more than " + pool.payloadCapacity()
                            + " bytes are not taken here; send with a smaller fragment size");
            return new PacketPlacement.Discard();
        }
        IncomingTransfer transfer = incoming.get(key);
        if (transfer == null) {
            return newFragment(new IncomingTransfer(), header);
        }
        long index = header.index();
        if (!transfer.mayHave(index, header.fragmentLength())) {
            refuseMisfit(key);
            return new PacketPlacement.Discard();
        }
        if (transfer.durable.contains(index)) {
            return discardDurable(header);
        }
        if (transfer.writing.contains(index) || isHeld(transfer, index)) {
            meter.discarded(header);
            return new PacketPlacement.Discard();
        }
        if (header.resent()) {
            transfer.askedAgain.remove(index);
        } else if (transfer.askedAgain.contains(index)) {
            return new PacketPlacement.Discard();
        }
        IncomingFragment partial = transfer.partials.get(index);
        if (partial != null && partial.length != header.fragmentLength()) {
            refuse(key, ErrorCode.MALFORMED, "packets of fragment " + index + " disagree about its length");
            return new PacketPlacement.Discard();
        }
        if (partial != null && partial.has(header)) {
            meter.discarded(header);
            return new PacketPlacement.Discard();
        }
        if (partial == null) {
            return newFragment(transfer, header);
        }
        if (partial.pieces() >= MAX_PIECES) {
            refuse(
                    key,
                    ErrorCode.MALFORMED,
                    "fragment " + index + " is in more than " + MAX_PIECES + " pieces; send larger packets");
            return new PacketPlacement.Discard();
        }
        if (partial.isFree(header)) {
            partial.begin(header);
            return new PacketPlacement.InBuffer(partial.buffer().retain(), header.offset());
        }
        return transfer.isEarly() ? new PacketPlacement.AwaitAllowance() : buffers.placeCopy(header);
    }

    /** Space was reserved for the announced size only. */
    private void refuseMisfit(TransferKey key) {
        refuse(key, ErrorCode.MALFORMED, "there are fragments of it that do not fit into the size that was announced");
    }

    /** Acks the fragment once more: its sender may have had nothing of it when the first ack came, and would wait for ever. */
    private PacketPlacement discardDurable(PacketHeader header) {
        meter.discarded(header);
        if (header.offset() + header.length() == header.fragmentLength()) {
            link.send(new HopMessage.Ack(header.key(), FragmentRanges.of(header.index(), header.index() + 1)));
        }
        return new PacketPlacement.Discard();
    }

    /** Discards a packet, and counts it as a refusal; above that rate the stream waits. */
    private PacketPlacement discardUnwanted() {
        if (allowance.isOverRate()) {
            return new PacketPlacement.AwaitAllowance();
        }
        allowance.refused(1);
        return new PacketPlacement.Discard();
    }

    /** Places the first packet of a fragment. Keeps nothing of a fragment that gets no memory. */
    private PacketPlacement newFragment(IncomingTransfer transfer, PacketHeader header) {
        if (transfer.isEarly() && early.isFull()) {
            return new PacketPlacement.AwaitAllowance();
        }
        PacketPlacement placement = buffers.placeFirst(header);
        if (placement instanceof PacketPlacement.InBuffer into) {
            if (transfer.isEarly()) {
                early.add(header.key());
                incoming.putIfAbsent(header.key(), transfer);
            }
            IncomingFragment begun =
                    new IncomingFragment(into.buffer().retain(), header.fragmentLength(), header.leaf());
            begun.begin(header);
            transfer.partials.put(header.index(), begun);
        }
        return placement;
    }

    /** The packet is complete in the buffer that {@link #place} named. */
    public void received(PacketHeader header, FragmentBuffer buffer) {
        buffers.read(buffer);
        meter.received(header);
        IncomingTransfer transfer = incoming.get(header.key());
        IncomingFragment partial = transfer == null ? null : transfer.partials.get(header.index());
        if (transfer == null || partial == null || partial.length != header.fragmentLength()) {
            return;
        }
        partial.ended(header, buffer);
        if (Crc32c.of(buffer.payload(header.offset(), header.length())) != header.crc32c()) {
            meter.damaged();
            askAgain(header.key(), transfer, header.index());
            fault();
            return;
        }
        FragmentBuffer before = partial.buffer();
        partial.received(header, buffer);
        if (partial.buffer() != before) {
            buffers.heldByStream(before);
        }
        if (partial.complete()) {
            transfer.partials.remove(header.index());
            onFragment(transfer, whole(header, partial));
        }
    }

    /** The stream died before the packet was complete. */
    public void lost(PacketHeader header, FragmentBuffer buffer) {
        buffers.read(buffer);
        IncomingTransfer transfer = incoming.get(header.key());
        IncomingFragment partial = transfer == null ? null : transfer.partials.get(header.index());
        if (transfer != null && partial != null) {
            partial.ended(header, buffer);
            if (!partial.isBeingWritten() && partial.arrivedBytes() == 0) {
                discard(header.key(), transfer, header.index());
            }
        }
    }

    /**
     * Drops a fragment that is only partly here and asks its sender for it again: memory has been short for long, and another fragment
     * can be completed in the freed buffer.
     *
     * @return whether there was one to drop
     */
    public boolean dropPartialFragment() {
        for (Map.Entry<TransferKey, IncomingTransfer> entry : incoming.entrySet()) {
            for (Map.Entry<Long, IncomingFragment> partial :
                    entry.getValue().partials.entrySet()) {
                if (!partial.getValue().isBeingWritten()) {
                    askAgain(entry.getKey(), entry.getValue(), partial.getKey());
                    return true;
                }
            }
        }
        return false;
    }

    /**
     * A packet of small transfers is complete.
     *
     * @param items its transfers, in the order of their bytes
     * @param buffer their bytes, one after the other from payload offset 0; borrowed for the call
     */
    public void received(List<SmallItem> items, FragmentBuffer buffer) {
        SmallTransferReceiver.Packet packet = smalls.begin(items);
        int offset = 0;
        for (SmallItem item : items) {
            smalls.received(
                    item, buffer, offset, closed.containsKey(item.manifest().key()), packet);
            offset += item.length();
        }
    }

    /**
     * Decides where the bytes of an arriving packet of small transfers go. If the sender may begin none of them, each is refused here.
     */
    public PacketPlacement place(List<SmallItem> items) {
        if (linkLost) {
            return new PacketPlacement.Discard();
        }
        if (allowance.isOverRate()) { // before the refusals that it counts
            return new PacketPlacement.AwaitAllowance();
        }
        if (!smalls.hasAllowed(items)) {
            return new PacketPlacement.Discard();
        }
        if (!smalls.tryTake()) {
            return new PacketPlacement.AwaitAllowance();
        }
        FragmentBuffer buffer = pool.tryAcquire();
        if (buffer == null) {
            smalls.giveBack();
            return new PacketPlacement.AwaitMemory();
        }
        return new PacketPlacement.InBuffer(buffer, 0);
    }

    /** The stream died before a packet of small transfers was complete. */
    public void smallsLost() {
        smalls.giveBack();
    }

    // --- status
    /** Fragments that did not agree with their CRC, over all sessions that share the meter. */
    public long damagedFragments() {
        return meter.damagedFragments();
    }

    // --- inside
    private void onOpen(Manifest manifest, boolean resumed) {
        TransferKey key = manifest.key();
        if (!isAllowed(key, "OPEN")) {
            return;
        }
        Refusal refusal = whyNot(store, manifest);
        if (refusal != null) {
            refuse(key, refusal.code(), refusal.detail());
            return;
        }
        IncomingTransfer known = incoming.get(key);
        if (known != null && !known.isEarly()) {
            known.askedAgain.clear(); // a restarted sender does not mark repetitions as resent
            allowance.refused(1); // a repeated OPEN changes nothing, and its answer may be long
            link.send(new HopMessage.Resume(key, known.durable.copy()));
            return;
        }
        if (!allowance.tryOpen(slots(manifest))) {
            refuse(key, ErrorCode.NO_SPACE, allowance.openRefusal());
            return;
        }
        closed.remove(key);
        IncomingTransfer transfer = known == null ? new IncomingTransfer() : known;
        incoming.put(key, transfer);
        transfer.askedAgain.clear();
        transfer.countsAsOpen = true;
        transfer.manifest = manifest;
        if (!transfer.mayHaveWhatIsHere()) {
            refuseMisfit(key);
            return;
        }
        early.remove(key, transfer.fragmentsHere());
        if (resumed) {
            transfer.become(IncomingTransfer.State.LOOKING_UP);
            store.lookup(key, outcome -> onLookup(transfer, manifest, outcome));
        } else {
            begin(transfer, manifest);
        }
    }

    /** Why a transfer is refused as soon as it is announced: it needs what this version does not know, or the store says so. */
    static @Nullable Refusal whyNot(ReceiverStore store, Manifest manifest) {
        return Extension.unknown(manifest.extensions())
                .map(unknown ->
                        new Refusal(ErrorCode.MALFORMED, "The transfer is not taken: " + unknown.refusal() + "."))
                .or(() -> whyTooLarge(manifest))
                .orElseGet(() -> store.whyNot(manifest));
    }

    private static Optional<Refusal> whyTooLarge(Manifest manifest) {
        return Manifest.isTooLarge(manifest.sizeBytes(), manifest.fragmentSizeBytes())
                ? Optional.of(new Refusal(ErrorCode.TOO_LARGE, Manifest.SIZE_LIMITS + "."))
                : Optional.empty();
    }

    private static int slots(Manifest manifest) {
        return 1 + manifest.weightBytes() / MANIFEST_BYTES_PER_SLOT;
    }

    private void onLookup(IncomingTransfer transfer, Manifest manifest, Outcome<StoredTransfer> outcome) {
        TransferKey key = manifest.key();
        if (isStale(transfer, key)) {
            return;
        }
        Refusal refusal = outcome.refusal();
        if (refusal != null) {
            refuse(key, refusal.code(), refusal.detail());
            return;
        }
        StoredTransfer stored = outcome.get();
        switch (stored.state()) {
            case ABSENT -> {
                link.send(new HopMessage.Resume(key, new FragmentRanges()));
                begin(transfer, manifest);
            }
            case OPEN -> {
                setDurable(transfer, stored.durable().copy());
                link.send(new HopMessage.Resume(key, stored.durable()));
                begin(transfer, manifest);
            }
            case COMMITTED -> {
                // The store answers the sender's COMMIT.
                FragmentRanges all = FragmentRanges.of(0, Long.MAX_VALUE);
                setDurable(transfer, all.copy());
                transfer.stored = true;
                transfer.become(IncomingTransfer.State.OPEN);
                link.send(new HopMessage.Resume(key, all));
                commitWhenComplete(transfer, key);
            }
            case GONE -> refuse(key, ErrorCode.ID_USED, "the transfer was finished or cancelled before");
            case CANCELLED -> refuse(key, ErrorCode.CANCELLED, "the transfer was cancelled before");
        }
    }

    private void begin(IncomingTransfer transfer, Manifest manifest) {
        transfer.become(IncomingTransfer.State.OPEN);
        store.open(manifest, outcome -> {
            Refusal refusal = outcome.refusal();
            if (isStale(transfer, manifest.key())) {
                return;
            }
            if (refusal == null) {
                transfer.stored = true;
                commitWhenComplete(transfer, manifest.key());
            } else {
                refuse(manifest.key(), refusal.code(), refusal.detail());
            }
        });
        List<Fragment> held = List.copyOf(transfer.held);
        transfer.held.clear();
        for (Fragment fragment : held) {
            if (transfer.durable.contains(fragment.index())) {
                meter.repeated(manifest.key(), fragment.length());
                buffers.release(fragment.length());
            } else {
                write(transfer, fragment);
            }
            fragment.buffer().release();
        }
    }

    private static Fragment whole(PacketHeader header, IncomingFragment partial) {
        int crc = header.length() == partial.length
                ? header.crc32c()
                : Crc32c.of(partial.buffer().payload(0, partial.length));
        return new Fragment(header.key(), header.index(), partial.length, crc, partial.leaf, partial.buffer(), 0);
    }

    /** Takes over one reference of the fragment's buffer. */
    private void onFragment(IncomingTransfer transfer, Fragment fragment) {
        if (transfer.state() == IncomingTransfer.State.OPEN || transfer.state() == IncomingTransfer.State.COMMITTING) {
            write(transfer, fragment);
            fragment.buffer().release();
        } else {
            transfer.held.add(fragment);
        }
    }

    private void setDurable(IncomingTransfer transfer, FragmentRanges durable) {
        runs += durable.runCount() - transfer.durable.runCount();
        transfer.durable = durable;
    }

    private void write(IncomingTransfer transfer, Fragment fragment) {
        transfer.writing.add(fragment.index());
        int length = fragment.length();
        store.fragment(fragment, outcome -> {
            buffers.release(length);
            onStored(transfer, fragment.key(), fragment.index(), outcome);
        });
    }

    private void onStored(IncomingTransfer transfer, TransferKey key, long index, Outcome<Fragment> outcome) {
        transfer.writing.remove(index, index + 1);
        if (isStale(transfer, key)) {
            return;
        }
        Refusal refusal = outcome.refusal();
        if (refusal == null) {
            transfer.mismatches = 0;
            int runsBefore = transfer.durable.runCount();
            transfer.durable.add(index);
            runs += transfer.durable.runCount() - runsBefore;
            if (runs > MAX_RUNS && transfer.durable.runCount() > RUNS_OF_EACH) {
                refuse(
                        key,
                        ErrorCode.MALFORMED,
                        "the fragments of this session leave more than " + MAX_RUNS + " gaps; send them in order");
                return;
            }
            link.send(new HopMessage.Ack(key, FragmentRanges.of(index, index + 1)));
            commitWhenComplete(transfer, key);
        } else if (refusal.code() == ErrorCode.DIGEST_MISMATCH && ++transfer.mismatches < MAX_MISMATCHES) {
            meter.damaged();
            link.send(new HopMessage.Nack(key, index));
        } else if (refusal.code() == ErrorCode.DIGEST_MISMATCH) {
            // Not for ever: the disk may be at fault, and the sender may have the only good copy.
            refuse(
                    key,
                    ErrorCode.STORAGE_FAILED,
                    MAX_MISMATCHES + " of its fragments in a row did not agree with their digests: "
                            + refusal.detail());
        } else {
            refuse(key, refusal.code(), refusal.detail());
        }
    }

    private void onCommit(TransferKey key, Commit commit) {
        IncomingTransfer transfer = incoming.get(key);
        if (transfer != null) {
            transfer.commit = commit;
            commitWhenComplete(transfer, key);
        } else if (!mayPublish.test(key)) {
            refuseForeign(key, "COMMIT");
        }
    }

    private void commitWhenComplete(IncomingTransfer transfer, TransferKey key) {
        Commit commit = transfer.commit;
        if (commit == null
                || transfer.state() != IncomingTransfer.State.OPEN
                || !transfer.stored
                || !transfer.complete()) {
            return;
        }
        Manifest manifest = transfer.manifest;
        if (manifest != null && !manifest.agreesWith(commit)) {
            refuse(
                    key,
                    ErrorCode.MALFORMED,
                    "the commit speaks of " + commit.sizeBytes() + " bytes in fragments of "
                            + commit.digest().fragmentSizeBytes() + ", which is not what was announced");
            return;
        }
        transfer.become(IncomingTransfer.State.COMMITTING);
        store.commit(key, commit, outcome -> {
            if (!isStale(transfer, key)) {
                answerCommit(key, outcome);
            }
        });
    }

    private void answerCommit(TransferKey key, Outcome<List<String>> outcome) {
        Refusal refusal = outcome.refusal();
        if (refusal != null) {
            refuse(key, refusal.code(), refusal.detail());
            return;
        }
        stop(key);
        link.send(new HopMessage.Committed(key, outcome.get(), meter.repeatedBytes(key)));
    }

    /** The transfer may be another publisher's: the store decides whether the sender may cancel it. */
    private void onCancel(TransferKey key, String reason) {
        if (mayPublish.test(key)) {
            close(key, true);
        }
        store.cancel(key, reason, outcome -> {
            if (!linkLost) {
                Refusal refusal = outcome.refusal();
                link.send(refusal == null ? new HopMessage.Cancelled(key) : new HopMessage.Refuse(key, refusal));
            }
        });
    }

    private void refuse(TransferKey key, ErrorCode code, String detail) {
        if (!code.retriable()) {
            allowance.refused(1);
        }
        drop(key);
        stop(key);
        link.send(new HopMessage.Refuse(key, new Refusal(code, detail)));
    }

    private void drop(TransferKey key) {
        IncomingTransfer transfer = incoming.remove(key);
        if (transfer != null) {
            release(key, transfer);
        }
    }

    private void release(TransferKey key, IncomingTransfer transfer) {
        if (transfer.isEarly()) {
            early.remove(key, transfer.fragmentsHere());
        }
        transfer.partials.values().forEach(partial -> buffers.release(partial.length));
        transfer.held.forEach(fragment -> buffers.release(fragment.length()));
        transfer.releaseAll(key, meter);
        runs -= transfer.durable.runCount();
        transfer.durable = new FragmentRanges();
        Manifest announced = transfer.manifest;
        if (transfer.countsAsOpen && announced != null) {
            transfer.countsAsOpen = false;
            allowance.closed(slots(announced));
        }
    }

    /** The transfer is over here: its packets are discarded until the sender opens it again. */
    public void stop(TransferKey key) {
        close(key, false);
    }

    private boolean isCancelled(TransferKey key) {
        return closed.getOrDefault(key, false);
    }

    private void close(TransferKey key, boolean cancelled) {
        drop(key);
        closed.merge(key, cancelled, Boolean::logicalOr);
    }

    /** Drops the partial fragment and asks its sender for it again. */
    private void askAgain(TransferKey key, IncomingTransfer transfer, long index) {
        discard(key, transfer, index);
        if (incoming.get(key) == transfer) {
            transfer.askedAgain.add(index);
        }
        link.send(new HopMessage.Nack(key, index));
    }

    private void discard(TransferKey key, IncomingTransfer transfer, long index) {
        IncomingFragment partial = transfer.partials.remove(index);
        if (partial != null) {
            meter.lost(key, index, partial.arrivedBytes());
            buffers.release(partial.length);
            partial.buffer().release();
            if (transfer.isEarly()) {
                early.dropFragment();
                if (transfer.fragmentsHere() == 0) {
                    early.remove(key, 0);
                    incoming.remove(key); // no state for a transfer that was not opened
                }
            }
        }
    }

    private static boolean isHeld(IncomingTransfer transfer, long index) {
        for (Fragment fragment : transfer.held) {
            if (fragment.index() == index) {
                return true;
            }
        }
        return false;
    }

    private boolean isStale(IncomingTransfer transfer, @Nullable TransferKey key) {
        return linkLost || incoming.get(key) != transfer;
    }
}
