package io.hawser.agenta.ftp.modee;

import io.hawser.agenta.ftp.data.DataConnection;
import io.hawser.agenta.upload.BufferScheduler;
import io.hawser.agenta.upload.FragmentAssembly;
import io.hawser.core.ftp.BlockHeader;
import io.hawser.core.ftp.MalformedBlockException;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Manifest;
import io.hawser.store.spool.Upload;
import io.netty.channel.EventLoop;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * One upload in MODE E: any number of connections, one assembly, and the count of ends.
 *
 * <p>The count is the sender's word. Before it is believed every other connection is looked at once more: what is unread there
 * would be lost without a trace.
 *
 * <p>Thread: the loop.
 */
public final class ModeEReceiver implements FragmentAssembly.Listener {
    /**
     * Rounds of the loop between the last EOD and the end. Each asks the sockets anew: one accepts a connection, one hands it over,
     * one reads what is in it; and the one that is under way when the EOD comes has asked already.
     */
    private static final int LAST_LOOKS = 4;

    /** How often senders that are all gone are looked for. A sender may close one connection before it opens the next. */
    private static final long GONE_LOOK_MILLIS = 1000;

    private static final int NOT_GONE = -1;

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

    private final EventLoop loop;
    private final Listener listener;
    private final ModeEAcceptedConnections connections;
    private final FragmentAssembly assembly;
    private final OffsetMapping mapping;
    private final ModeEEndDetector endDetector = new ModeEEndDetector(ModeEAcceptedConnections.MAX_CONNECTIONS);
    private final Set<BlockConnectionReader> active = new LinkedHashSet<>();
    /** Connections of which the EOD has come. */
    private final Set<DataConnection> done = new LinkedHashSet<>();

    private boolean looksForGone;
    private boolean ending;
    private boolean over;

    /**
     * Receives {@code upload}.
     *
     * @param mapping where the peer's positions are in it
     */
    public ModeEReceiver(
            EventLoop loop,
            BufferScheduler buffers,
            Upload upload,
            OffsetMapping mapping,
            ModeEAcceptedConnections connections,
            Listener listener) {
        this.loop = loop;
        this.listener = listener;
        this.connections = connections;
        this.mapping = mapping;
        this.assembly = new FragmentAssembly(loop, buffers, upload, mapping.givenEndBytes(), this);
    }

    /** Takes what connections there are and those that still come. */
    public void begin() {
        connections.serve(this::connected, this::unfit);
    }

    private void connected(DataConnection channel) {
        BlockConnectionReader receiver = new BlockConnectionReader(this, assembly, channel);
        active.add(receiver);
        channel.receive(receiver);
    }

    private void unfit(Throwable cause) {
        if (!over) {
            stop();
            listener.brokenOff("a data connection cannot be used: " + cause.getMessage());
        }
    }

    public long receivedBytes() {
        return assembly.receivedBytes();
    }

    /** Whether the client is waiting for this node, and not the other way round. */
    public boolean isHeldBack() {
        return assembly.isHeldBack();
    }

    /** Whether the client waits because the spool has no space. */
    public boolean waitsForSpace() {
        return assembly.waitsForSpace();
    }

    /** What is missing until the end, for a user. */
    public String missing() {
        return endDetector.missing();
    }

    /** What is to be added to the block's positions. */
    long blockBegins(BlockHeader block) throws MalformedBlockException {
        if (block.isEof()) {
            endDetector.eof(block.offset());
        }
        if (block.isEof() || block.count() == 0) {
            return 0;
        }
        long shift = mapping.shift(block.offset(), block.count());
        if (shift + block.offset() > Manifest.MAX_SIZE_BYTES - block.count()) {
            throw new MalformedBlockException("a block at position " + (shift + block.offset()));
        }
        return shift;
    }

    void connectionDone(BlockConnectionReader receiver) throws MalformedBlockException {
        if (over) {
            return;
        }
        active.remove(receiver);
        done.add(receiver.channel());
        connections.rest(receiver.channel(), receiver.closes());
        endDetector.eod();
        if (endDetector.isComplete()) {
            ending = true;
            lookOnceMore(LAST_LOOKS);
        } else {
            lookForGone(NOT_GONE);
        }
    }

    /** A timer without delay, unlike a task, runs when the sockets have been asked again. */
    private void lookOnceMore(int looks) {
        var unused = loop.schedule(
                () -> {
                    if (over) {
                        return;
                    }
                    if (looks > 1) {
                        lookOnceMore(looks - 1);
                    } else {
                        end();
                    }
                },
                0,
                TimeUnit.MILLISECONDS);
    }

    private void end() {
        if (!active.stream().allMatch(BlockConnectionReader::isUntouched)) {
            malformed(new MalformedBlockException("an EOF block that tells of fewer data connections than are in use"));
            return;
        }
        over = true;
        // A connection that nothing came over was opened for a later transfer.
        active.forEach(receiver -> connections.rest(receiver.channel(), false));
        active.clear();
        connections.pause();
        listener.allEnded();
    }

    /**
     * When the peer has closed all connections, the EOF will not come any more.
     *
     * @param goneBefore how many were all and closed one look ago, or {@link #NOT_GONE}
     */
    private void lookForGone(int goneBefore) {
        if (over || ending || looksForGone || !active.isEmpty()) {
            return;
        }
        looksForGone = true;
        var unused = loop.schedule(
                () -> {
                    looksForGone = false;
                    boolean allGone = active.isEmpty() && done.stream().allMatch(DataConnection::isClosedByPeer);
                    int gone = allGone && !done.isEmpty() ? done.size() : NOT_GONE;
                    if (gone != NOT_GONE && gone == goneBefore && !over && !ending) {
                        stop();
                        listener.brokenOff("all data connections were closed, and " + endDetector.missing());
                    } else {
                        lookForGone(gone);
                    }
                },
                GONE_LOOK_MILLIS,
                TimeUnit.MILLISECONDS);
    }

    void connectionLost(BlockConnectionReader receiver, String why) {
        if (over) {
            return;
        }
        active.remove(receiver);
        boolean wasCached = connections.forget(receiver.channel());
        if (receiver.isUntouched() && (wasCached || ending)) {
            lookForGone(NOT_GONE);
        } else {
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

    /** Receives no more. Connections in the middle of a block are of no use any more, so all are closed. */
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
