package io.hawser.core.hop;

import io.hawser.core.model.TransferKey;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.zip.CRC32C;
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

    /** Into how many pieces for each stream the last of what there is to send is cut. */
    private static final int SHARES_PER_STREAM = 2;

    /** What is loaded and has not left holds credit too; no more than this part of the window, or the link stands idle. */
    private static final int LOADED_PART_OF_WINDOW = 3;

    private static final int LEAST_LOADED = 2;

    private record Id(TransferKey key, long index) {}

    private final HopLimits limits;
    private final SenderStore store;
    private final TailPolicy tail = new TailPolicy();
    private final LatestPackets latest = new LatestPackets();
    /** Transfers that may have a fragment to send, taken in turn. */
    private final ArrayDeque<OutgoingTransfer> loadQueue = new ArrayDeque<>();
    /** Everything that holds credit, oldest first. */
    private final Map<Id, InFlightFragment> inFlight = new LinkedHashMap<>();
    /** Loaded, and not yet given to streams whole. */
    private final ArrayDeque<InFlightFragment> ready = new ArrayDeque<>();

    private final RecentFragments kept = new RecentFragments();

    private final BiConsumer<OutgoingTransfer, Refusal> onLoadRefused;
    private long windowBytes;
    private long inFlightBytes;
    private int loaded;
    private @Nullable HopLink link;
    private long nowNanos;
    /** When the latest probe was sent that the peer has answered. */
    private long heardNanos;

    private boolean asking;

    FragmentFlow(HopLimits limits, SenderStore store, BiConsumer<OutgoingTransfer, Refusal> onLoadRefused) {
        this.limits = limits;
        this.store = store;
        this.onLoadRefused = onLoadRefused;
        this.windowBytes = limits.windowBytes();
    }

    void linkUp(HopLink newLink) {
        link = newLink;
        asking = false;
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
        kept.giveAllBack();
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
     * What happened since the last tick bears that one's time. Where that is long ago, because this is the first or the process was
     * stopped, it would look old from the beginning.
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

    /** A fragment that no stream has taken for long gives its memory back; it will be loaded again when its turn comes. */
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
            loadQueue.add(transfer);
        }
        pump();
    }

    /**
     * A fragment has just become available, or will, and is in memory: takes it if it is wanted now, and otherwise keeps it if there is
     * memory for that, so that the disk is not read.
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

    /** Ends the flight of acked fragments. */
    void acked(OutgoingTransfer transfer, long start, long end) {
        long claimedEnd = Math.min(end, transfer.claimed.end()); // a peer may name fragments that do not exist
        for (long index = start; index < claimedEnd; index++) {
            InFlightFragment flight = inFlight.remove(new Id(transfer.key(), index));
            if (flight != null) {
                if (flight.sentAtNanos != 0) { // otherwise it was acked for a copy that is forgotten here
                    tail.acked(flight.sentAtNanos, nowNanos);
                }
                forget(flight);
            }
        }
        pump();
    }

    /** The receiver could not use the fragment: it is sent again. */
    void nacked(OutgoingTransfer transfer, long index) {
        InFlightFragment flight = inFlight.remove(new Id(transfer.key(), index));
        if (flight != null) {
            forget(flight);
        }
        transfer.acked.remove(index, index + 1);
        offer(transfer);
    }

    /**
     * Drops a transfer's fragments, of which the receiver is told nothing. What was sent of one in part is sent to its end: the
     * receiver keeps memory for a fragment until it is whole.
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

    /** Drops all of a transfer's fragments: it is done, cancelled or refused. */
    void dropAll(OutgoingTransfer transfer) {
        for (Iterator<InFlightFragment> all = inFlight.values().iterator(); all.hasNext(); ) {
            InFlightFragment flight = all.next();
            if (flight.transfer == transfer) {
                all.remove();
                forget(flight);
            }
        }
        kept.giveBack(transfer.key());
        if (transfer.queuedForLoad) {
            loadQueue.remove(transfer);
            transfer.queuedForLoad = false;
        }
        pump();
    }

    /**
     * A stream is lost. Of what was withdrawn only the rest would follow, and the receiver keep memory for the whole: it begins anew,
     * at once, since nothing is known of it once it has left.
     */
    void beginWithdrawnAnew(int stream) {
        for (InFlightFragment flight : ready) {
            if (flight.withdrawn && flight.streams.get(stream)) {
                flight.streams.clear();
                flight.nextOffset = 0;
            }
        }
    }

    /** Sends again what the lost stream carried. The peer is known to have outlived it. */
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

    /** The next packet for this stream, or null. */
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
                : crcOf(fragment.buffer().payload(start, length));
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
        if (flight.resent) {
            transfer.countAgain(flight.index, length);
        }
        if (flight.fullySent()) {
            ready.remove(flight);
            unload(flight);
            pump();
        }
        return packet;
    }

    /**
     * As much as the stream should be given at a time, a whole fragment if it is fast, while there is enough to do for every
     * stream; when there is not, half of an equal share, so that all help and none is left with the last of it.
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

    /** Of what is loaded; no more than a few fragments. */
    private long unsentBytes() {
        long bytes = 0;
        for (InFlightFragment flight : ready) {
            bytes += flight.length - flight.nextOffset;
        }
        return bytes;
    }

    /** Only while the peer is heard: where nobody answers it is not a stream that lags. */
    private void sendTailAgain(int stream) {
        if (!ready.isEmpty() || loaded > 0 || !loadQueue.isEmpty() || sendStuckAgain(stream)) {
            return;
        }
        for (InFlightFragment flight : inFlight.values()) {
            if (flight.fullySent() && !flight.streams.get(stream) && tail.lags(flight.sentAtNanos, nowNanos)) {
                if (!tail.lags(flight.sentAtNanos, heardNanos)) {
                    askForASign();
                    return;
                }
                flight.lagging.or(flight.streams);
                copyTail(flight);
                return;
            }
        }
    }

    /**
     * What waits in the socket of a stream that is held back is taken by one that is not, once. It need not lag yet: its stream
     * says itself that it stands.
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

    private void askForASign() {
        HopLink asked = link;
        if (asked == null || asking) {
            return;
        }
        asking = true;
        long askedNanos = nowNanos;
        asked.probe(() -> {
            if (link == asked) {
                asking = false;
                heardNanos = askedNanos;
                asked.wake();
            }
        });
    }

    /** A relay may have forwarded a fragment that is not durable here yet: that one waits until it is. */
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
        return inFlightBytes == 0 || inFlightBytes + length <= windowBytes;
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
        loaded++;
        store.load(flight.transfer.key(), flight.index, outcome -> onLoaded(flight, outcome));
    }

    private void onLoaded(InFlightFragment flight, Outcome<Fragment> outcome) {
        flight.loading = false;
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

    /** Gives back the flight's credit and memory. Others may go then: the caller pumps when its own state is whole. */
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

    static int crcOf(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes);
        return (int) crc.getValue();
    }
}
