package io.hawser.agenta.modee;

import io.hawser.agenta.data.DataChannel;
import io.hawser.common.buffer.FragmentBufferPool;
import io.hawser.common.hop.Outcome;
import io.hawser.common.hop.Refusal;
import io.hawser.common.spool.Upload;
import io.netty.channel.EventLoop;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * One upload in MODE E: any number of connections, one assembly, and the count of ends.
 *
 * <p>Thread: the loop.
 */
public final class BlockReception implements FragmentAssembly.Listener {
    /** A position beyond this is refused; see {@link BlockHeader}. */
    private static final long MAX_POSITION = 15L << 40;

    /** What the owner of an upload wants to know. After one of the last four nothing follows. */
    public interface Listener {
        /** Bytes {@code [start, end)} are durable at this node. */
        void durable(long start, long end);

        /** EOF has come, and the EOD of every connection: {@link #finish} may be called. */
        void allEnded();

        /** A connection ended without its EOD. */
        void brokenOff(String why);

        /** What came is no MODE E. */
        void malformed(String why);

        /** The spool, or a comparison with what came before, refused. */
        void refused(Refusal refusal);
    }

    private final Listener listener;
    private final BlockConnections connections;
    private final FragmentAssembly assembly;
    private final BlockPlaces places;
    private final EndCount ends = new EndCount(BlockConnections.MAX_CONNECTIONS);
    private final Set<BlockReceiver> active = new LinkedHashSet<>();
    private boolean over;

    /**
     * Receives {@code upload}.
     *
     * @param places where the peer's positions are in it
     */
    public BlockReception(
            EventLoop loop,
            FragmentBufferPool pool,
            Upload upload,
            BlockPlaces places,
            BlockConnections connections,
            Listener listener) {
        this.listener = listener;
        this.connections = connections;
        this.places = places;
        this.assembly = new FragmentAssembly(loop, pool, upload, this);
    }

    /** Takes what connections there are and those that still come. */
    public void begin() {
        connections.serve(this::connected);
    }

    private void connected(DataChannel channel) {
        BlockReceiver receiver = new BlockReceiver(this, assembly, channel);
        active.add(receiver);
        channel.receive(receiver);
    }

    /** Bytes that came. */
    public long receivedBytes() {
        return assembly.receivedBytes();
    }

    /** Whether the client is waiting for this node, and not the other way round. */
    public boolean isHeldBack() {
        return assembly.isHeldBack();
    }

    /** What is missing until the end, for a user. */
    public String missing() {
        return ends.missing();
    }

    /** What is to be added to the block's positions. */
    long blockBegins(BlockHeader block) throws MalformedBlockException {
        if (block.isEof()) {
            ends.eof(block.offset());
        }
        if (block.isEof() || block.count() == 0) {
            return 0;
        }
        long shift = places.shift(block.offset(), block.count());
        if (shift + block.offset() > MAX_POSITION - block.count()) {
            throw new MalformedBlockException("a block at position " + (shift + block.offset()));
        }
        return shift;
    }

    void connectionDone(BlockReceiver receiver) throws MalformedBlockException {
        if (over) {
            return;
        }
        active.remove(receiver);
        connections.rest(receiver.channel(), receiver.closes());
        ends.eod();
        endIfComplete();
    }

    private void endIfComplete() throws MalformedBlockException {
        if (ends.isComplete()) {
            if (!active.stream().allMatch(BlockReceiver::isUntouched)) {
                throw new MalformedBlockException("an EOF block that tells of fewer data connections than are in use");
            }
            over = true;
            // A connection that nothing came over was opened for a later transfer.
            active.forEach(receiver -> connections.rest(receiver.channel(), false));
            active.clear();
            connections.pause();
            listener.allEnded();
        }
    }

    void connectionLost(BlockReceiver receiver, String why) {
        if (over) {
            return;
        }
        active.remove(receiver);
        boolean wasCached = connections.forget(receiver.channel());
        if (!wasCached || !receiver.isUntouched()) {
            stop();
            listener.brokenOff(why);
        }
    }

    void malformed(MalformedBlockException why) {
        if (!over) {
            stop();
            listener.malformed("This is not MODE E: " + why.getMessage());
        }
    }

    @Override
    public void durable(long start, long end) {
        listener.durable(start, end);
    }

    @Override
    public void refused(Refusal refusal) {
        stop();
        listener.refused(refusal);
    }

    /** Hands over the last fragment. {@code done} gets the size, or a refusal if bytes are missing. */
    public void finish(Outcome.Callback<Long> done) {
        assembly.finish(done);
    }

    /** Receives no more. Connections in the middle of a block are of no use to anybody, so all are closed. */
    public void stop() {
        over = true;
        active.clear();
        assembly.close();
        connections.close();
    }

    /** The upload is committed or lost: gives back what memory is held. */
    public void release() {
        assembly.close();
    }
}
