package io.hawser.core.hop;

import io.hawser.core.integrity.Crc32c;
import io.hawser.core.model.TransferKey;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Sends the fragments of a hop's large transfers: chooses which one to load next and which packet a stream gets, and retransmits.
 * The receiver's credit and the number of fragments in memory bound it.
 *
 * <p>Thread: the sender's loop.
 */
final class FragmentFlow {
    /** How long a loaded fragment may wait for a stream. */
    private static final long LOAN_NANOS = 2_000_000_000L;

    /** Ticks are meant to come every 100 ms. */
    private static final long LATE_TICK_NANOS = 400_000_000L;

    /** The last unsent bytes are cut into this many pieces for each stream. */
    private static final int SHARES_PER_STREAM = 2;

    /** Loaded fragments hold credit too: at most this part of the window, or the link would be idle. */
    private static final int LOADED_PART_OF_WINDOW = 3;

    private static final int LEAST_LOADED = 2;

    /** A peer that acks nothing for so long while something is in flight is probed when somebody asks. */
    private static final long QUIET_NANOS = 500_000_000L;

    /** One that does not answer a probe for so long seems dead. */
    private static final long SILENT_NANOS = 1_500_000_000L;

    /** However much credit the peer gives. */
    private static final int MAX_IN_FLIGHT = 65_536;

    private record Id(TransferKey key, long index) {}

    private final HopSenderLimits limits;
    private final SenderStore store;
    private final RetransmissionTimer retransmission = new RetransmissionTimer();
    private final RecentlySentBytes latest = new RecentlySentBytes();
    /** Transfers that may have a fragment to send; those of one priority round-robin. */
    private final TransferQueue loadQueue = new TransferQueue();
    /** Everything that holds credit, oldest first. */
    private final Map<Id, InFlightFragment> inFlight = new LinkedHashMap<>();
    /** Loaded, and not yet sent whole. */
    private final ArrayDeque<InFlightFragment> ready = new ArrayDeque<>();

    private final RecentFragments kept = new RecentFragments();

    private final BiConsumer<OutgoingTransfer, Refusal> onLoadRefused;
    private final SendMeter meter;
    private long windowBytes;
    private long inFlightBytes;
    private int loaded;
    private @Nullable HopLink link;
    private long nowNanos;
    /** When the latest answered probe was sent. */
    private long heardNanos;

    private boolean probing;
    /** When the probe was sent that is not answered; counts while {@link #probing}. */
    private long probedNanos;
    /** When the peer last acked something, or the first fragment was sent after a pause. */
    private long ackedNanos;

    FragmentFlow(
            HopSenderLimits limits,
            SenderStore store,
            BiConsumer<OutgoingTransfer, Refusal> onLoadRefused,
            SendMeter meter) {
        this.meter = meter;
        this.limits = limits;
        this.store = store;
        this.onLoadRefused = onLoadRefused;
        this.windowBytes = limits.windowBytes();
    }

    void linkUp(HopLink newLink) {
        link = newLink;
        probing = false;
        windowBytes = limits.windowBytes();
    }

    void linkDown() {
        link = null;
        for (InFlightFragment flight : inFlight.values()) {
            drop(flight);
        }
        inFlight.clear();
        ready.forEach(this::drop); // also those of transfers that were withdrawn
        ready.clear();
        latest.clear();
        loadQueue.forEach(transfer -> transfer.queuedForLoad = false);
        loadQueue.clear();
        kept.releaseAll();
        inFlightBytes = 0;
    }

    void credit(long bytes) {
        windowBytes = bytes;
        pump();
    }

    long windowBytes() {
        return windowBytes;
    }

    long inFlightBytes() {
        return inFlightBytes;
    }

    void tick(long now) {
        if (nowNanos == 0 || now - nowNanos > LATE_TICK_NANOS) {
            restamp(now);
        }
        nowNanos = now;
        returnIdleLoans();
        kept.tick(now);
        if (link != null && !inFlight.isEmpty()) {
            link.wake();
        }
    }

    /**
     * Events since the last tick carry that tick's time. If that is long ago, because this is the first tick or the process was stopped,
     * they would look old from the start; so they get the current time.
     */
    private void restamp(long now) {
        for (InFlightFragment flight : inFlight.values()) {
            if (flight.sentAtNanos == nowNanos) {
                flight.sentAtNanos = now;
            }
        }
        for (InFlightFragment flight : ready) {
            if (flight.readyAtNanos == nowNanos) {
                flight.readyAtNanos = now;
            }
        }
    }

    /** Releases fragments that no stream has taken for long; they are loaded again in their turn. */
    private void returnIdleLoans() {
        ready.removeIf(flight -> flight.dropped);
        for (InFlightFragment flight : List.copyOf(ready)) {
            if (flight.nextOffset == 0
                    && !flight.tailCopy
                    && !flight.withdrawn
                    && nowNanos - flight.readyAtNanos > LOAN_NANOS) {
                ready.remove(flight);
                inFlight.remove(new Id(flight.transfer.key(), flight.index));
                forget(flight);
                offer(flight.transfer);
            }
        }
    }

    /** The transfer may have something to send. */
    void offer(OutgoingTransfer transfer) {
        if (!transfer.queuedForLoad && transfer.sendsFragments()) {
            transfer.queuedForLoad = true;
            loadQueue.addLast(transfer);
        }
        pump();
    }

    /**
     * Offers a fragment that is in memory and is, or will soon be, available: it is sent if credit allows, and otherwise kept if memory
     * allows, so that the disk is not read.
     */
    void offerInMemory(OutgoingTransfer transfer, Fragment fragment) {
        long index = fragment.index();
        boolean wanted = link != null
                && transfer.maySendMore()
                && !transfer.acked.contains(index)
                && !transfer.claimed.contains(index);
        if (!wanted) {
            return;
        }
        if (mayLoad(fragment.length()) && hasCredit(fragment.length())) {
            InFlightFragment flight = claim(transfer, index, fragment.length());
            fragment.buffer().retain();
            becomeReady(flight, fragment);
        } else {
            kept.offer(fragment, nowNanos);
        }
    }

    /** Ends the flight of acked fragments: of those that are in flight, however many the peer names. */
    void acked(OutgoingTransfer transfer, long start, long end) {
        for (long index = transfer.claimed.firstPresent(start);
                index >= 0 && index < end;
                index = transfer.claimed.firstPresent(index + 1)) {
            InFlightFragment flight = inFlight.remove(new Id(transfer.key(), index));
            if (flight != null) {
                ackedNanos = nowNanos;
                if (flight.sentAtNanos != 0) { // otherwise the ack is for an earlier copy
                    retransmission.acked(flight.sentAtNanos, nowNanos);
                }
                forget(flight);
            }
        }
        pump();
    }

    /** The receiver could not use the fragment: sends it again. */
    void nacked(OutgoingTransfer transfer, long index) {
        InFlightFragment flight = inFlight.remove(new Id(transfer.key(), index));
        if (flight != null) {
            forget(flight);
        }
        transfer.acked.remove(index, index + 1);
        offer(transfer);
    }

    /**
     * Drops a transfer's fragments without a message to the receiver. A fragment that was sent in part is sent to its end: the receiver
     * keeps memory for a fragment until it is complete.
     */
    void withdrawAll(OutgoingTransfer transfer) {
        for (Iterator<InFlightFragment> all = inFlight.values().iterator(); all.hasNext(); ) {
            InFlightFragment flight = all.next();
            if (flight.transfer == transfer && flight.nextOffset > 0 && flight.fragment != null) {
                all.remove();
                flight.withdrawn = true;
                inFlightBytes -= flight.length;
            }
        }
        dropAll(transfer);
    }

    /**
     * Begins no other fragment of a transfer until it is offered again. Those that have begun to leave stay in flight: the receiver gets them
     * whole, and its ACK or NACK decides whether they are sent again.
     */
    void pause(OutgoingTransfer transfer) {
        dropFlights(transfer, flight -> !flight.hasBegun());
    }

    /** Takes a transfer whose priority is about to change out of the queue. Whether it was there. */
    boolean unqueue(OutgoingTransfer transfer) {
        boolean queued = transfer.queuedForLoad && loadQueue.remove(transfer);
        transfer.queuedForLoad = false;
        return queued;
    }

    /** Drops all fragments of a transfer that is done, cancelled or refused. */
    void dropAll(OutgoingTransfer transfer) {
        dropFlights(transfer, flight -> true);
    }

    private void dropFlights(OutgoingTransfer transfer, Predicate<InFlightFragment> which) {
        for (Iterator<InFlightFragment> all = inFlight.values().iterator(); all.hasNext(); ) {
            InFlightFragment flight = all.next();
            if (flight.transfer == transfer && which.test(flight)) {
                all.remove();
                forget(flight);
            }
        }
        kept.release(transfer.key());
        if (transfer.queuedForLoad) {
            loadQueue.remove(transfer);
            transfer.queuedForLoad = false;
        }
        pump();
    }

    /**
     * A stream is lost. Sends the withdrawn fragments that it carried from their start, at once: with the rest alone the receiver would keep
     * memory for the whole, and a withdrawn fragment is forgotten here once it has left.
     */
    void restartWithdrawn(int stream) {
        for (InFlightFragment flight : ready) {
            if (flight.withdrawn && flight.streams.get(stream)) {
                flight.streams.clear();
                flight.nextOffset = 0;
            }
        }
    }

    /** Sends again what the lost stream carried. The peer has answered a probe since. */
    void streamLost(int stream) {
        latest.forget(stream);
        for (InFlightFragment flight : List.copyOf(inFlight.values())) {
            if (!flight.streams.get(stream)) {
                continue;
            }
            flight.streams.clear();
            flight.lagging.clear();
            flight.tailCopy = false;
            flight.nextOffset = 0;
            flight.resent = true;
            if (flight.fragment == null && !flight.loading) {
                loadAgain(flight);
            }
        }
        if (link != null) {
            link.wake();
        }
    }

    OutboundPacket.@Nullable OfFragment next(int stream) {
        InFlightFragment flight = firstReadyFor(stream);
        if (flight == null) {
            sendTailAgain(stream);
            flight = firstReadyFor(stream);
            if (flight == null) {
                return null;
            }
        }
        return packetOf(flight, stream);
    }

    private @Nullable InFlightFragment firstReadyFor(int stream) {
        ready.removeIf(flight -> flight.dropped);
        for (InFlightFragment flight : ready) {
            if (!flight.lagging.get(stream)) {
                return flight;
            }
        }
        return null;
    }

    private OutboundPacket.OfFragment packetOf(InFlightFragment flight, int stream) {
        Fragment fragment = fragmentOf(flight);
        OutgoingTransfer transfer = flight.transfer;
        int offset = flight.nextOffset;
        int length = packetLength(flight, stream);
        int start = fragment.offset() + offset;
        int crc = length == fragment.length()
                ? fragment.crc32c()
                : Crc32c.of(fragment.buffer().payload(start, length));
        PacketHeader header = new PacketHeader(
                fragment.key(),
                fragment.index(),
                offset,
                length,
                fragment.length(),
                crc,
                fragment.leaf(),
                flight.resent);
        OutboundPacket.OfFragment packet =
                new OutboundPacket.OfFragment(header, fragment.buffer().retainedPayload(start, length));
        flight.nextOffset += length;
        flight.streams.set(stream);
        flight.sentAtNanos = nowNanos;
        latest.add(stream, flight, length);
        transfer.begun.add(flight.index);
        transfer.sentBytes += length;
        meter.sent(length);
        if (flight.resent) {
            meter.resent(length);
            transfer.countResent(flight.index, length);
        }
        if (flight.fullySent()) {
            ready.remove(flight);
            unload(flight);
            pump();
        }
        return packet;
    }

    /**
     * The packet size for the stream, up to a whole fragment on a fast one, while every stream has enough to send; towards the end half of
     * an equal share, so that no stream alone carries the last bytes.
     */
    private int packetLength(InFlightFragment flight, int stream) {
        int rest = flight.length - flight.nextOffset;
        HopLink current = link;
        if (current == null) {
            return rest;
        }
        int piece = current.packetBytes(stream);
        int streams = current.streams();
        if (streams > 1 && loadQueue.isEmpty() && ready.size() < streams) {
            piece = (int) Math.min(piece, unsentBytes() / ((long) SHARES_PER_STREAM * streams));
        }
        int length = Math.max(limits.minPacketBytes(), piece);
        return rest - length < limits.minPacketBytes() ? rest : length;
    }

    /** Unsent bytes of the loaded fragments, which are few. */
    private long unsentBytes() {
        long bytes = 0;
        for (InFlightFragment flight : ready) {
            bytes += flight.length - flight.nextOffset;
        }
        return bytes;
    }

    /** Sends a lagging fragment on this stream too. Only while the peer answers: otherwise it is not the stream that lags. */
    private void sendTailAgain(int stream) {
        if (!ready.isEmpty() || loaded > 0 || !loadQueue.isEmpty() || sendStuckAgain(stream)) {
            return;
        }
        for (InFlightFragment flight : inFlight.values()) {
            if (flight.fullySent()
                    && !flight.streams.get(stream)
                    && retransmission.lags(flight.sentAtNanos, nowNanos)) {
                if (!retransmission.lags(flight.sentAtNanos, heardNanos)) {
                    probePeer();
                    return;
                }
                flight.lagging.or(flight.streams);
                copyTail(flight);
                return;
            }
        }
    }

    /**
     * Sends on this stream, once, a fragment whose bytes are stuck in another stream's socket. It need not lag yet.
     */
    private boolean sendStuckAgain(int stream) {
        HopLink current = link;
        if (current == null || current.stuckBytes(stream) > 0) {
            return false;
        }
        for (int other : latest.streams()) {
            int stuck = other == stream ? 0 : current.stuckBytes(other);
            for (InFlightFragment flight : latest.last(other, stuck)) {
                if (!flight.dropped && !flight.withdrawn && flight.fullySent() && !flight.lagging.get(other)) {
                    flight.lagging.set(other);
                    copyTail(flight);
                    return true;
                }
            }
        }
        return false;
    }

    private void copyTail(InFlightFragment flight) {
        flight.tailCopy = true;
        flight.resent = true;
        flight.nextOffset = 0;
        loadAgain(flight);
    }

    private void probePeer() {
        HopLink probed = link;
        if (probed == null || probing) {
            return;
        }
        probing = true;
        probedNanos = nowNanos;
        long sentNanos = nowNanos;
        probed.probe(() -> {
            if (link == probed) {
                probing = false;
                heardNanos = sentNanos;
                probed.wake();
            }
        });
    }

    /**
     * Whether the peer, which has something to answer, seems dead: a probe has no answer. Sends that probe if nothing has been acked for
     * {@link #QUIET_NANOS}.
     */
    boolean isPeerSilent() {
        if (probing) {
            return nowNanos - probedNanos >= SILENT_NANOS;
        }
        if (nowNanos - Math.max(ackedNanos, heardNanos) >= QUIET_NANOS) {
            probePeer();
        }
        return false;
    }

    /** Whether loaded fragments wait for a stream. */
    boolean streamsAreFull() {
        return !ready.isEmpty();
    }

    /** Whether credit lacks for one more fragment of that length. */
    boolean lacksCredit(int length) {
        return !hasCredit(length);
    }

    /** Loads the fragment again. One that a relay forwarded before it was durable here waits until it is. */
    private void loadAgain(InFlightFragment flight) {
        if (flight.transfer.available.contains(flight.index)) {
            load(flight);
        } else {
            inFlight.remove(new Id(flight.transfer.key(), flight.index));
            forget(flight);
            pump();
        }
    }

    /** Starts loading while credit and memory allow. */
    void pump() {
        if (link == null) {
            return;
        }
        while (loaded < limits.loadedFragments() && !loadQueue.isEmpty()) {
            OutgoingTransfer transfer = loadQueue.getFirst();
            long index = transfer.maySendMore() ? transfer.nextToSend() : -1;
            if (index < 0) {
                loadQueue.removeFirst();
                transfer.queuedForLoad = false;
                continue;
            }
            int length = transfer.fragmentLength(index);
            if (!hasCredit(length) || !mayLoad(length)) {
                return;
            }
            loadQueue.addLast(loadQueue.removeFirst());
            load(claim(transfer, index, length));
        }
    }

    private boolean mayLoad(int length) {
        return loaded < limits.loadedFragments()
                && (loaded < LEAST_LOADED || (loaded + 1L) * length * LOADED_PART_OF_WINDOW <= windowBytes);
    }

    private boolean hasCredit(int length) {
        return inFlight.isEmpty() || (inFlight.size() < MAX_IN_FLIGHT && inFlightBytes + length <= windowBytes);
    }

    private InFlightFragment claim(OutgoingTransfer transfer, long index, int length) {
        InFlightFragment flight = new InFlightFragment(transfer, index, length);
        flight.resent = transfer.begun.contains(index);
        transfer.claimed.add(index);
        inFlight.put(new Id(transfer.key(), index), flight);
        inFlightBytes += length;
        return flight;
    }

    private void load(InFlightFragment flight) {
        Fragment inMemory = kept.take(flight.transfer.key(), flight.index);
        if (inMemory != null) {
            becomeReady(flight, inMemory);
            return;
        }
        flight.loading = true;
        flight.transfer.loading++;
        loaded++;
        store.load(flight.transfer.key(), flight.index, outcome -> onLoaded(flight, outcome));
    }

    private void onLoaded(InFlightFragment flight, Outcome<Fragment> outcome) {
        flight.loading = false;
        flight.transfer.loading--;
        loaded--;
        Refusal refusal = outcome.refusal();
        if (refusal != null) {
            if (!flight.dropped) {
                onLoadRefused.accept(flight.transfer, refusal);
            }
            pump();
            return;
        }
        Fragment fragment = outcome.get();
        if (flight.dropped) {
            fragment.buffer().release();
            pump();
        } else {
            becomeReady(flight, fragment);
        }
    }

    /** Takes over one reference of the fragment's buffer. */
    private void becomeReady(InFlightFragment flight, Fragment fragment) {
        loaded++;
        inFlightBytes += fragment.length() - flight.length;
        flight.length = fragment.length();
        flight.fragment = fragment;
        flight.readyAtNanos = nowNanos;
        ready.add(flight);
        if (link != null) {
            link.wake();
        }
    }

    /** Releases the flight's credit and memory. The caller pumps when its own state is consistent. */
    private void forget(InFlightFragment flight) {
        flight.transfer.claimed.remove(flight.index, flight.index + 1);
        inFlightBytes -= flight.length;
        drop(flight);
    }

    private void drop(InFlightFragment flight) {
        flight.dropped = true;
        unload(flight);
    }

    private void unload(InFlightFragment flight) {
        Fragment fragment = flight.fragment;
        if (fragment != null) {
            flight.fragment = null;
            loaded--;
            fragment.buffer().release();
        }
    }

    private static Fragment fragmentOf(InFlightFragment flight) {
        Fragment fragment = flight.fragment;
        if (fragment == null) {
            throw new IllegalStateException("fragment " + flight.index + " is ready without its bytes");
        }
        return fragment;
    }
}
