package io.hawser.core.hop;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.model.Commit;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.TransferKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
    /** Of the pool's buffers, this part may hold packets of one session that came before their OPEN. */
    private static final int EARLY_PART = 4;
    /** How long packets wait for their OPEN, in ticks of 100 ms, before they are given up: the OPEN is on another connection. */
    static final int EARLY_TICKS = 300;
    /** The most pieces that one fragment may be in: honest senders make packets of 16 KiB or more. */
    static final int MAX_PIECES = 4096;
    /** A description that takes so many bytes more counts as one more open transfer: it is in memory until the commit. */
    private static final int BYTES_A_PLACE = 1024;
    /** The most runs of fragments of one transfer that are here while others are missing. */
    static final int MAX_RUNS = 32_768;

    private final ReceiverStore store;
    private final FragmentBufferPool pool;
    private final HopLink link;
    private final Predicate<TransferKey> mayPublish;
    private final Map<TransferKey, IncomingTransfer> incoming = new HashMap<>();
    /** Transfers that this session is done with, and whether it cancelled them: late packets of theirs are read and forgotten. */
    private final LinkedHashMap<TransferKey, Boolean> closed = new LinkedHashMap<>();

    private final ReceiveMeter meter;
    private final SmallIntake smalls;
    private final SenderAllowance allowance;
    private final FaultBudget faults = new FaultBudget();
    private final int mostEarlyFragments;
    /** Fragments in memory whose OPEN has not come. */
    private int earlyFragments;
    /** Bytes of fragments that are here in part, wait, or are being written. */
    private long inHandBytes;
    /** The largest credit that the sender was ever given. */
    private long mostWindowBytes;
    /** Buffers with another copy of bytes that some stream is reading; each counts in the allowance. */
    private final Set<FragmentBuffer> copies = Collections.newSetFromMap(new IdentityHashMap<>());

    private int beingChecked;
    private boolean linkLost;

    /**
     * Creates a receiver and grants its sender credit.
     *
     * @param store what makes things durable here
     * @param pool where fragments are put together
     * @param link the session
     * @param mayPublish which transfers this sender may speak of
     * @param windowBytes how many bytes of fragments the sender may have on their way
     */
    public HopReceiver(
            ReceiverStore store,
            FragmentBufferPool pool,
            HopLink link,
            Predicate<TransferKey> mayPublish,
            long windowBytes) {
        this(store, pool, link, mayPublish, windowBytes, new ReceiveMeter(), SenderAllowance.UNLIMITED);
    }

    /**
     * The same, counting into a meter that outlives the session.
     *
     * @param allowance what the sender may take besides its credit
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
        this.mostEarlyFragments = Math.max(1, pool.capacity() / EARLY_PART);
        this.mostWindowBytes = windowBytes;
        this.store = store;
        this.pool = pool;
        this.link = link;
        this.mayPublish = mayPublish;
        this.smalls = new SmallIntake(store, link, mayPublish, meter, allowance, this::fault, this::isCancelled);
        link.send(new HopMessage.Credit(windowBytes));
    }

    /** Changes the sender's credit. */
    public void credit(long windowBytes) {
        mostWindowBytes = Math.max(mostWindowBytes, windowBytes);
        link.send(new HopMessage.Credit(windowBytes));
    }

    /** A message from the sender. Messages that only a sender gets are ignored. */
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
        } else if (message instanceof HopMessage.ReceiptAck ack && isItsOwn(ack.key(), "RECEIPT_ACK")) {
            store.receiptAcked(ack.key(), ack.subscription(), ack.status());
        } else if (message instanceof HopMessage.Check check) {
            onCheck(check.keys());
        }
    }

    /** The sender asks what of its transfers is still here. It waits for the answer before it asks again. */
    private void onCheck(List<TransferKey> keys) {
        boolean mayAsk = beingChecked == 0 && !keys.isEmpty();
        if (!mayAsk || !keys.stream().allMatch(key -> isItsOwn(key, "CHECK"))) {
            return;
        }
        beingChecked = keys.size();
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
                if (--beingChecked == 0 && !linkLost) {
                    allowance.refused(absent.size());
                    link.send(new HopMessage.Checked(absent, finished));
                }
            });
        }
    }

    /** Whether the sender may speak of that transfer; if not it is told so, and the store hears of it. */
    private boolean isItsOwn(TransferKey key, String message) {
        boolean own = mayPublish.test(key);
        if (!own) {
            refuseForeign(key, message);
        }
        return own;
    }

    private void refuseForeign(TransferKey key, String message) {
        store.notItsOwn(key, message);
        link.send(new HopMessage.Refuse(
                key, new Refusal(ErrorCode.NOT_ALLOWED, "the transfer belongs to another publisher")));
    }

    /** The store has a receipt for the sender: it is sent now, and again in each session until it is acknowledged. */
    public void receipt(Receipt receipt) {
        if (!linkLost) {
            link.send(new HopMessage.ReceiptNotice(receipt));
        }
    }

    /** A fragment that was acked, of a transfer that may be committed, has been damaged here: its sender is asked for it again. */
    public void reportDamage(TransferKey key, long index) {
        if (!linkLost) {
            IncomingTransfer transfer = incoming.get(key);
            if (transfer != null) {
                transfer.durable.remove(index, index + 1); // or what comes again would be taken for a repetition
            }
            link.send(new HopMessage.Nack(key, index));
        }
    }

    /** The store forgets what it has of a transfer: nothing more of it is taken until it is announced again. */
    public void stop(TransferKey key) {
        close(key);
    }

    /** Tells the sender that it has to announce the transfer again, or, if the refusal is not retriable, that it is over. */
    public void refused(TransferKey key, Refusal refusal) {
        if (!linkLost) {
            link.send(new HopMessage.Refuse(key, refusal));
        }
    }

    /** The session is over: memory goes back; what the store is writing stays there. */
    public void linkDown() {
        linkLost = true;
        smalls.linkDown();
        incoming.forEach(this::letGo);
        incoming.clear();
        copies.forEach(copy -> allowance.giveBuffer());
        copies.clear();
    }

    /** 100 ms have passed: what has waited too long for its OPEN is given up, and its sender is asked for it again. */
    public void tick() {
        faults.tick();
        if (linkLost || earlyFragments == 0) {
            return;
        }
        List<TransferKey> expired = new ArrayList<>();
        incoming.forEach((key, transfer) -> {
            if (transfer.isEarly() && ++transfer.earlyTicks > EARLY_TICKS) {
                expired.add(key);
            }
        });
        for (TransferKey key : expired) {
            IncomingTransfer transfer = incoming.get(key);
            if (transfer != null) {
                transfer.indexesHere().forEach(index -> link.send(new HopMessage.Nack(key, index)));
                drop(key);
                fault();
            }
        }
    }

    /** The sender broke a rule that a wire may break now and then. */
    private void fault() {
        if (faults.isExceededByOneMore()) {
            allowance.sessionEndedForFaults();
            linkDown();
            link.end("more than " + FaultBudget.MAX_FAULTS_PER_MINUTE
                    + " packets in a minute were damaged or of transfers that were never announced");
        }
    }

    // --- packets
    /** A packet is about to arrive: where are its bytes to go? */
    public PacketPlace place(PacketHeader header) {
        TransferKey key = header.key();
        if (linkLost) {
            return new PacketPlace.Discard();
        }
        if (closed.containsKey(key) || !mayPublish.test(key)) {
            return discardUnwanted();
        }
        if (header.fragmentLength() > pool.payloadCapacity()) {
            refuse(
                    key,
                    ErrorCode.TOO_LARGE,
                    "fragments of more than " + pool.payloadCapacity()
                            + " bytes are not taken here; send with a smaller fragment size");
            return new PacketPlace.Discard();
        }
        if (allowance.isOverRate()) {
            return new PacketPlace.Wait();
        }
        IncomingTransfer transfer = incoming.get(key);
        if (transfer == null) {
            return newFragment(new IncomingTransfer(), header);
        }
        long index = header.index();
        if (!transfer.mayHave(index, header.fragmentLength())) {
            refuseMisfit(key);
            return new PacketPlace.Discard();
        }
        if (transfer.durable.contains(index) || transfer.writing.contains(index) || isHeld(transfer, index)) {
            meter.discarded(header);
            return new PacketPlace.Discard();
        }
        if (header.resent()) {
            transfer.askedAgain.remove(index);
        } else if (transfer.askedAgain.contains(index)) {
            return new PacketPlace.Discard();
        }
        PartialFragment partial = transfer.partials.get(index);
        if (partial != null && partial.length != header.fragmentLength()) {
            refuse(key, ErrorCode.MALFORMED, "packets of fragment " + index + " disagree about its length");
            return new PacketPlace.Discard();
        }
        if (partial != null && partial.has(header)) {
            meter.discarded(header);
            return new PacketPlace.Discard();
        }
        if (partial == null) {
            return newFragment(transfer, header);
        }
        if (partial.pieces() >= MAX_PIECES) {
            refuse(
                    key,
                    ErrorCode.MALFORMED,
                    "fragment " + index + " is in more than " + MAX_PIECES + " pieces; send larger packets");
            return new PacketPlace.Discard();
        }
        if (partial.isFree(header)) {
            partial.begin(header);
            return new PacketPlace.Into(partial.buffer().retain(), header.offset());
        }
        return transfer.isEarly() ? new PacketPlace.Wait() : copy(header);
    }

    /** What is promised for a transfer is for what was announced of it: more would take room that nobody has given. */
    private void refuseMisfit(TransferKey key) {
        refuse(key, ErrorCode.MALFORMED, "there are fragments of it that do not fit into the size that was announced");
    }

    /** Of such packets no more are read than the sender may be refused. */
    private PacketPlace discardUnwanted() {
        if (allowance.isOverRate()) {
            return new PacketPlace.Wait();
        }
        allowance.refused(1);
        return new PacketPlace.Discard();
    }

    /** The packet is the first of its fragment. Nothing is kept of a fragment that gets no memory. */
    private PacketPlace newFragment(IncomingTransfer transfer, PacketHeader header) {
        boolean early = transfer.isEarly();
        boolean beyondCredit = inHandBytes > 0 && inHandBytes + header.fragmentLength() > mostWindowBytes;
        if (beyondCredit || (early && earlyFragments >= mostEarlyFragments) || !allowance.tryTakeBuffer()) {
            return new PacketPlace.Wait();
        }
        FragmentBuffer buffer = pool.tryAcquire();
        if (buffer == null) {
            allowance.giveBuffer();
            return new PacketPlace.PutOff();
        }
        inHandBytes += header.fragmentLength();
        if (early) {
            earlyFragments++;
            incoming.putIfAbsent(header.key(), transfer);
        }
        PartialFragment begun = new PartialFragment(buffer.retain(), header.fragmentLength(), header.leaf());
        begun.begin(header);
        transfer.partials.put(header.index(), begun);
        return new PacketPlace.Into(buffer, header.offset());
    }

    /** Some of the packet's bytes are here, or are being read by another stream: it gets memory of its own. */
    private PacketPlace copy(PacketHeader header) {
        if (!allowance.tryTakeBuffer()) {
            return new PacketPlace.Wait();
        }
        FragmentBuffer buffer = pool.tryAcquire();
        if (buffer == null) {
            allowance.giveBuffer();
            return new PacketPlace.PutOff();
        }
        copies.add(buffer);
        return new PacketPlace.Into(buffer, header.offset());
    }

    private void copyIsRead(FragmentBuffer buffer) {
        if (!copies.isEmpty() && copies.remove(buffer)) {
            allowance.giveBuffer();
        }
    }

    /** The packet is complete in the buffer that {@link #place} named. */
    public void received(PacketHeader header, FragmentBuffer buffer) {
        copyIsRead(buffer);
        meter.received(header);
        IncomingTransfer transfer = incoming.get(header.key());
        PartialFragment partial = transfer == null ? null : transfer.partials.get(header.index());
        if (transfer == null || partial == null || partial.length != header.fragmentLength()) {
            return;
        }
        partial.ended(header, buffer);
        if (FragmentFlow.crcOf(buffer.payload(header.offset(), header.length())) != header.crc32c()) {
            meter.damaged();
            askAgain(header.key(), transfer, header.index());
            fault();
            return;
        }
        FragmentBuffer before = partial.buffer();
        partial.received(header, buffer);
        if (partial.buffer() != before && allowance.tryTakeBuffer()) {
            copies.add(before); // a stream is still stuck in it
        }
        if (partial.complete()) {
            transfer.partials.remove(header.index());
            onFragment(transfer, whole(header, partial));
        }
    }

    /** The stream died before the packet was complete. */
    public void lost(PacketHeader header, FragmentBuffer buffer) {
        copyIsRead(buffer);
        IncomingTransfer transfer = incoming.get(header.key());
        PartialFragment partial = transfer == null ? null : transfer.partials.get(header.index());
        if (transfer != null && partial != null) {
            partial.ended(header, buffer);
            if (!partial.isBeingWritten() && partial.arrivedBytes() == 0) {
                discard(header.key(), transfer, header.index());
            }
        }
    }

    /**
     * Memory has been short for long: gives up a fragment that is only partly here, so that another can be completed. Its
     * sender is asked for it again.
     *
     * @return whether there was one to give up
     */
    public boolean relieve() {
        for (Map.Entry<TransferKey, IncomingTransfer> entry : incoming.entrySet()) {
            for (Map.Entry<Long, PartialFragment> partial :
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
     * @param items what it holds, in the order of their bytes
     * @param buffer their bytes, one behind the other from payload offset 0; borrowed for the call
     */
    public void received(List<SmallItem> items, FragmentBuffer buffer) {
        SmallIntake.Packet packet = smalls.begin(items);
        int offset = 0;
        for (SmallItem item : items) {
            smalls.received(
                    item, buffer, offset, closed.containsKey(item.manifest().key()), packet);
            offset += item.length();
        }
    }

    /**
     * A packet of small transfers is about to arrive: where are its bytes to go? Those that the sender may not begin are refused here if
     * there are no others.
     */
    public PacketPlace place(List<SmallItem> items) {
        if (linkLost || !smalls.hasAllowed(items)) {
            return new PacketPlace.Discard();
        }
        if (allowance.isOverRate() || !smalls.tryTake()) {
            return new PacketPlace.Wait();
        }
        FragmentBuffer buffer = pool.tryAcquire();
        if (buffer == null) {
            smalls.giveBack();
            return new PacketPlace.PutOff();
        }
        return new PacketPlace.Into(buffer, 0);
    }

    /** The stream died before a packet of small transfers was complete. */
    public void smallsLost() {
        smalls.giveBack();
    }

    // --- for people
    /** How a transfer stands; empty if this session does not know it. */
    public Optional<ReceiverProgress> progress(TransferKey key) {
        IncomingTransfer transfer = incoming.get(key);
        return transfer == null
                ? Optional.empty()
                : Optional.of(new ReceiverProgress(transfer.state.name(), transfer.durable.count()));
    }

    /** Bytes that came more than once. */
    public long repeatedBytes() {
        return meter.repeatedBytes();
    }

    /** Fragments that did not agree with their CRC, through all sessions that share the meter. */
    public long damagedFragments() {
        return meter.damagedFragments();
    }

    // --- inside
    private void onOpen(Manifest manifest, boolean resumed) {
        TransferKey key = manifest.key();
        if (!isItsOwn(key, "OPEN")) {
            return;
        }
        Refusal refusal = store.whyNot(manifest);
        if (refusal != null) {
            refuse(key, refusal.code(), refusal.detail());
            return;
        }
        IncomingTransfer known = incoming.get(key);
        if (known != null && !known.isEarly()) {
            known.askedAgain.clear(); // a sender that begins anew does not know that it sends again
            link.send(new HopMessage.Resume(key, known.durable.copy()));
            return;
        }
        if (!allowance.tryOpen(places(manifest))) {
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
        earlyFragments -= transfer.fragmentsHere();
        if (resumed) {
            transfer.state = IncomingTransfer.State.LOOKING_UP;
            store.lookup(key, outcome -> onLookup(transfer, manifest, outcome));
        } else {
            begin(transfer, manifest);
        }
    }

    private static int places(Manifest manifest) {
        return 1 + manifest.weightBytes() / BYTES_A_PLACE;
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
                transfer.durable = stored.durable().copy();
                link.send(new HopMessage.Resume(key, stored.durable()));
                begin(transfer, manifest);
            }
            case COMMITTED -> {
                // All is here; the sender's COMMIT is answered from the store.
                FragmentRanges all = FragmentRanges.of(0, Long.MAX_VALUE);
                transfer.durable = all.copy();
                transfer.stored = true;
                transfer.state = IncomingTransfer.State.OPEN;
                link.send(new HopMessage.Resume(key, all));
                commitWhenComplete(transfer, key);
            }
            case GONE -> refuse(key, ErrorCode.ID_USED, "the transfer was finished or cancelled before");
            case CANCELLED -> refuse(key, ErrorCode.CANCELLED, "the transfer was cancelled before");
        }
    }

    private void begin(IncomingTransfer transfer, Manifest manifest) {
        transfer.state = IncomingTransfer.State.OPEN;
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
                leftHand(fragment.length());
            } else {
                write(transfer, fragment);
            }
            fragment.buffer().release();
        }
    }

    private static Fragment whole(PacketHeader header, PartialFragment partial) {
        int crc = header.length() == partial.length
                ? header.crc32c()
                : FragmentFlow.crcOf(partial.buffer().payload(0, partial.length));
        return new Fragment(header.key(), header.index(), partial.length, crc, partial.leaf, partial.buffer(), 0);
    }

    /** Takes over one reference of the fragment's buffer. */
    private void onFragment(IncomingTransfer transfer, Fragment fragment) {
        if (transfer.state == IncomingTransfer.State.OPEN || transfer.state == IncomingTransfer.State.COMMITTING) {
            write(transfer, fragment);
            fragment.buffer().release();
        } else {
            transfer.held.add(fragment);
        }
    }

    private void write(IncomingTransfer transfer, Fragment fragment) {
        transfer.writing.add(fragment.index());
        int length = fragment.length();
        store.fragment(fragment, outcome -> {
            leftHand(length);
            onStored(transfer, fragment.key(), fragment.index(), outcome);
        });
    }

    /** A fragment is durable, or given up. */
    private void leftHand(int length) {
        inHandBytes -= length;
        allowance.giveBuffer();
    }

    private void onStored(IncomingTransfer transfer, TransferKey key, long index, Outcome<Fragment> outcome) {
        transfer.writing.remove(index, index + 1);
        if (isStale(transfer, key)) {
            return;
        }
        Refusal refusal = outcome.refusal();
        if (refusal == null) {
            transfer.durable.add(index);
            if (transfer.durable.runCount() > MAX_RUNS) {
                refuse(
                        key,
                        ErrorCode.MALFORMED,
                        "its fragments leave more than " + MAX_RUNS + " gaps; send them in order");
                return;
            }
            link.send(new HopMessage.Ack(key, FragmentRanges.of(index, index + 1)));
            commitWhenComplete(transfer, key);
        } else if (refusal.code() == ErrorCode.DIGEST_MISMATCH) {
            meter.damaged();
            link.send(new HopMessage.Nack(key, index));
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
                || transfer.state != IncomingTransfer.State.OPEN
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
        transfer.state = IncomingTransfer.State.COMMITTING;
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
        close(key);
        link.send(new HopMessage.Committed(key, outcome.get(), meter.repeatedBytes(key)));
    }

    /** Also of another publisher's transfer, which is none of this receiver's: whether that may be is the store's decision. */
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
        drop(key);
        close(key);
        link.send(new HopMessage.Refuse(key, new Refusal(code, detail)));
    }

    private void drop(TransferKey key) {
        IncomingTransfer transfer = incoming.remove(key);
        if (transfer != null) {
            letGo(key, transfer);
        }
    }

    private void letGo(TransferKey key, IncomingTransfer transfer) {
        if (transfer.isEarly()) {
            earlyFragments -= transfer.fragmentsHere();
        }
        transfer.partials.values().forEach(partial -> leftHand(partial.length));
        transfer.held.forEach(fragment -> leftHand(fragment.length()));
        transfer.releaseAll(key, meter);
        Manifest announced = transfer.manifest;
        if (transfer.countsAsOpen && announced != null) {
            transfer.countsAsOpen = false;
            allowance.closed(places(announced));
        }
    }

    private void close(TransferKey key) {
        close(key, false);
    }

    private boolean isCancelled(TransferKey key) {
        return closed.getOrDefault(key, false);
    }

    private void close(TransferKey key, boolean cancelled) {
        drop(key);
        closed.merge(key, cancelled, Boolean::logicalOr);
        if (closed.size() > MAX_CLOSED) {
            closed.remove(closed.keySet().iterator().next());
        }
    }

    /** Gives up what is here of a fragment. */
    private void askAgain(TransferKey key, IncomingTransfer transfer, long index) {
        discard(key, transfer, index);
        if (incoming.get(key) == transfer) {
            transfer.askedAgain.add(index);
        }
        link.send(new HopMessage.Nack(key, index));
    }

    private void discard(TransferKey key, IncomingTransfer transfer, long index) {
        PartialFragment partial = transfer.partials.remove(index);
        if (partial != null) {
            meter.lost(key, index, partial.arrivedBytes());
            leftHand(partial.length);
            partial.buffer().release();
            if (transfer.isEarly()) {
                earlyFragments--;
                if (transfer.fragmentsHere() == 0) {
                    incoming.remove(key); // nothing is kept of a transfer that was not announced
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
