package io.hawser.ptcp;

import io.hawser.ptcp.stream.StallDetector;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Manages the streams of a session: which are used, which sends next, and which are stalled.
 *
 * <p>Thread: the session's loop only.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a channel that fails says so by onInactive
final class SessionStreams implements SessionTuner.Session {
    private static final Logger LOG = LoggerFactory.getLogger(SessionStreams.class);

    final SessionTuner tuner;
    private final NettySession session;
    private final Map<Integer, DataChannel> streams = new TreeMap<>();
    private Set<Integer> peerPaused = Set.of();
    private boolean wakeDue;
    private boolean resumeDue;
    private boolean pulling;
    private int firstToPull;
    private int lastUsedStream = Integer.MAX_VALUE;

    SessionStreams(NettySession session, PtcpTuning tuning) {
        this.session = session;
        tuner = new SessionTuner(this, tuning, System::nanoTime);
    }

    @Override
    public EventLoop loop() {
        return session.loop();
    }

    @Override
    public long heartbeatRttNanos() {
        return session.heartbeatRttNanos();
    }

    int size() {
        return streams.size();
    }

    boolean isEmpty() {
        return streams.isEmpty();
    }

    @Nullable
    DataChannel get(int stream) {
        return streams.get(stream);
    }

    /** Starts to find the number of streams by measurement. */
    void beginTuning(long rttNanos, boolean forgetful, int most) {
        tuner.begin(rttNanos, forgetful, most);
        onStreamCount(tuner.streams());
    }

    @Override
    public void onStreamCount(int count) {
        LOG.atDebug()
                .addKeyValue("session", session.id())
                .addKeyValue("streams", count)
                .log("streams in use");
        chooseUsed();
        session.onStreamsWanted(count);
        wakeStreams();
    }

    void add(DataChannel channel) {
        assert loop().inEventLoop();
        streams.put(channel.stream(), channel);
        channel.start();
        tuner.onAdded(channel);
        chooseUsed();
    }

    /** Removes a stream; false if it was not there. */
    boolean remove(DataChannel channel) {
        assert loop().inEventLoop();
        if (streams.remove(channel.stream()) == null) {
            return false;
        }
        tuner.onGone(channel.stream());
        chooseUsed();
        return true;
    }

    /** Ends the outbound direction of a stream. The peer does the same, and then it closes. */
    void end(DataChannel channel) {
        channel.end();
        chooseUsed();
    }

    void endAll() {
        live().forEach(DataChannel::end);
    }

    void closeAll() {
        assert loop().inEventLoop();
        tuner.end();
        List<DataChannel> last = live();
        streams.clear();
        last.forEach(DataChannel::close);
    }

    /** The number of streams whose inbound direction is open. */
    int inboundOpen() {
        return (int)
                streams.values().stream().filter(DataChannel::isInboundOpen).count();
    }

    // ---- sending

    @Override
    public List<DataChannel> sendingStreams() {
        List<DataChannel> used = new ArrayList<>(streams.size());
        int count = tuner.streams();
        for (DataChannel channel : streams.values()) {
            if (used.size() < count && channel.isOutboundOpen()) {
                used.add(channel);
            }
        }
        return used;
    }

    private void chooseUsed() {
        List<DataChannel> used = sendingStreams();
        boolean all = used.size() < tuner.streams();
        lastUsedStream = all || used.isEmpty() ? Integer.MAX_VALUE : used.get(used.size() - 1).stream();
        tuner.paceAll();
    }

    /** Whether a packet may leave on this stream now. If the rate forbids it, the streams wake up when it may. */
    boolean mayTake(int stream) {
        return stream <= lastUsedStream && tuner.mayLeave();
    }

    /** The largest packet for this stream in bytes. */
    int packetBytes(int stream) {
        DataChannel channel = streams.get(stream);
        return channel == null ? Integer.MAX_VALUE : Math.min(channel.quantumBytes(), tuner.packetBytes());
    }

    /** Bytes that will wait in this stream's socket for longer than a round trip. */
    int stuckBytes(int stream) {
        DataChannel channel = streams.get(stream);
        return channel == null ? 0 : channel.stuckBytes();
    }

    @Override
    public void wakeStreams() {
        if (!wakeDue) {
            wakeDue = true;
            loop().execute(() -> {
                wakeDue = false;
                pullRoundRobin();
            });
        }
    }

    /** Gives each stream one packet in turn, so that small objects spread over all streams. */
    private void pullRoundRobin() {
        assert loop().inEventLoop();
        if (pulling) {
            return;
        }
        pulling = true;
        try {
            boolean more = true;
            while (more) {
                more = false;
                List<DataChannel> used = sendingStreams();
                for (int i = 0; i < used.size(); i++) {
                    more |= used.get((i + firstToPull) % used.size()).pullOne();
                }
            }
            firstToPull = (firstToPull + 1) % PtcpOptions.MAX_STREAMS;
        } finally {
            pulling = false;
        }
    }

    /** The socket took all bytes of the stream. */
    void onDrained(DataChannel channel) {
        if (!pulling) { // otherwise pullRoundRobin reaches it
            channel.pull();
        }
    }

    // ---- receiving

    /** Resumes paused streams. */
    void resume() {
        if (!resumeDue) {
            resumeDue = true;
            loop().execute(() -> {
                resumeDue = false;
                live().forEach(DataChannel::resume);
            });
        }
    }

    /** The streams that this side paused. */
    List<Integer> pausedStreams() {
        List<Integer> paused = new ArrayList<>();
        streams.forEach((stream, channel) -> {
            if (channel.connection().isPaused()) {
                paused.add(stream);
            }
        });
        return paused;
    }

    /** The peer paused these streams. */
    void onPeerPaused(List<Integer> paused) {
        peerPaused = Set.copyOf(paused);
    }

    // ---- stalled streams

    /** A sample of each stream for the stall detector. */
    List<StallDetector.Sample> stallSamples() {
        List<StallDetector.Sample> samples = new ArrayList<>(streams.size());
        streams.values().forEach(channel -> samples.add(channel.stallSample(session.timeoutNanos())));
        return samples;
    }

    void closeStalled(int stream) {
        DataChannel channel = streams.get(stream);
        if (channel != null) {
            closeStalled(channel);
        }
    }

    private void closeStalled(DataChannel channel) {
        LOG.atWarn()
                .addKeyValue("session", session.id())
                .addKeyValue("stream", channel.stream())
                .log("A data channel makes no progress; closed, another replaces it");
        channel.close();
    }

    /** Closes data channels without progress: on a dead link TCP reports no error for minutes, and their packets could use others. */
    void closeStandstills(long nowNanos, boolean overslept, long timeoutNanos) {
        for (DataChannel channel : live()) {
            boolean peerReads = !overslept && !peerPaused.contains(channel.stream());
            if (channel.standstillNanos(nowNanos, peerReads) > timeoutNanos) {
                closeStalled(channel);
            }
        }
    }

    /** A copy, because a call on a stream may remove it. */
    private List<DataChannel> live() {
        return new ArrayList<>(streams.values());
    }
}
