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
 * The streams of a session: which ones are used, which one sends next, and which have stalled.
 *
 * <p>Thread: the session's loop only.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a channel that fails says so by onInactive
final class SessionStreams implements SessionTuner.Session {
    private static final Logger LOG = LoggerFactory.getLogger(SessionStreams.class);

    /** What the streams need of their session. */
    interface Host {
        /** The session's loop. */
        EventLoop loop();

        /** The session's identifier, for the log. */
        long id();

        /** How long the peer may be silent, in nanoseconds. */
        long timeoutNanos();

        /** The round trip that the heartbeat saw last, in nanoseconds, or -1. */
        long heartbeatRttNanos();

        /** This direction wants so many streams from here on. */
        void onStreamsWanted(int count);
    }

    private final Host host;
    private final SessionTuner tuner;
    private final Map<Integer, DataChannel> streams = new TreeMap<>();
    private Set<Integer> peerPutOff = Set.of();
    private boolean wakeDue;
    private boolean resumeDue;
    private boolean takingTurns;
    private int firstInTurn;
    private int lastUsedStream = Integer.MAX_VALUE;

    SessionStreams(Host host, PtcpTuning tuning) {
        this.host = host;
        tuner = new SessionTuner(this, tuning, System::nanoTime);
    }

    @Override
    public EventLoop loop() {
        return host.loop();
    }

    @Override
    public long heartbeatRttNanos() {
        return host.heartbeatRttNanos();
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

    /** How many the tuner wants for this direction. */
    int wanted() {
        return tuner.streams();
    }

    /** Finds the number of streams by measurement from here on. */
    void beginTuning(long rttNanos, boolean forgetful, int most) {
        tuner.begin(rttNanos, forgetful, most);
        onStreamCount(tuner.streams());
    }

    @Override
    public void onStreamCount(int count) {
        LOG.atDebug()
                .addKeyValue("session", host.id())
                .addKeyValue("streams", count)
                .log("streams in use");
        chooseUsed();
        host.onStreamsWanted(count);
        wakeStreams();
    }

    void add(DataChannel channel) {
        streams.put(channel.stream(), channel);
        channel.start();
        tuner.onAdded(channel);
        chooseUsed();
    }

    /** Whether it was still one of them. */
    boolean remove(DataChannel channel) {
        if (streams.remove(channel.stream()) == null) {
            return false;
        }
        tuner.onGone(channel.stream());
        chooseUsed();
        return true;
    }

    /** Sends nothing more on the stream, and says so; the peer does the same, and then it closes. */
    void end(DataChannel channel) {
        channel.end();
        chooseUsed();
    }

    void endAll() {
        live().forEach(DataChannel::end);
    }

    void closeAll() {
        tuner.end();
        List<DataChannel> last = live();
        streams.clear();
        last.forEach(DataChannel::close);
    }

    /** On how many of them the peer has not yet said that nothing more comes. */
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

    /** Whether a packet may leave on this stream now. If the rate holds it back, the streams are woken when it may. */
    boolean mayTake(int stream) {
        return stream <= lastUsedStream && tuner.mayLeave();
    }

    /** The peer wants no more than that; 0 for no limit. */
    void limitRate(long bytesPerSecond) {
        tuner.limitRate(bytesPerSecond);
    }

    /** A stream has taken a packet. */
    void onTaken(int bytes) {
        tuner.onPacket(bytes);
    }

    /** A stream could have taken a packet, and there was none. */
    void onNothingToSend() {
        tuner.onNothingToSend();
    }

    /** The most that should be in one packet on this stream. */
    int packetBytes(int stream) {
        DataChannel channel = streams.get(stream);
        return channel == null ? Integer.MAX_VALUE : Math.min(channel.quantumBytes(), tuner.packetBytes());
    }

    /** How many of the last bytes of this stream stand in its socket. */
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
                pullInTurn();
            });
        }
    }

    /** One packet for each stream in turn: what is small is spread over all of them, and none is ahead because it was first. */
    private void pullInTurn() {
        if (takingTurns) {
            return;
        }
        takingTurns = true;
        try {
            boolean more = true;
            while (more) {
                more = false;
                List<DataChannel> used = sendingStreams();
                for (int i = 0; i < used.size(); i++) {
                    more |= used.get((i + firstInTurn) % used.size()).pullOne();
                }
            }
            firstInTurn = (firstInTurn + 1) % PtcpOptions.MAX_STREAMS;
        } finally {
            takingTurns = false;
        }
    }

    /** The socket has taken what was given to the stream. */
    void onDrained(DataChannel channel) {
        if (!takingTurns) { // otherwise its turn comes
            channel.pull();
        }
    }

    // ---- receiving

    /** What was put off may be read. */
    void resume() {
        if (!resumeDue) {
            resumeDue = true;
            loop().execute(() -> {
                resumeDue = false;
                live().forEach(DataChannel::resume);
            });
        }
    }

    /** Those that this side does not read for the moment. */
    List<Integer> putOff() {
        List<Integer> paused = new ArrayList<>();
        streams.forEach((stream, channel) -> {
            if (channel.connection().isPutOff()) {
                paused.add(stream);
            }
        });
        return paused;
    }

    /** Those that the peer does not read for the moment. */
    void onPeerPutOff(List<Integer> paused) {
        peerPutOff = Set.copyOf(paused);
    }

    // ---- standstill

    /** What the sockets say of what is on its way. */
    List<StallDetector.Look> looks() {
        List<StallDetector.Look> looks = new ArrayList<>(streams.size());
        streams.values().forEach(channel -> looks.add(channel.look(host.timeoutNanos())));
        return looks;
    }

    void giveUp(int stream) {
        DataChannel channel = streams.get(stream);
        if (channel != null) {
            giveUp(channel);
        }
    }

    private void giveUp(DataChannel channel) {
        LOG.atWarn()
                .addKeyValue("session", host.id())
                .addKeyValue("stream", channel.stream())
                .log("a data channel stands still and is given up");
        channel.close();
    }

    /** A data channel whose link is gone says nothing, perhaps for many minutes; but what waits there could go elsewhere. */
    void dropStandstills(long nowNanos, boolean overslept, long timeoutNanos) {
        for (DataChannel channel : live()) {
            boolean peerReads = !overslept && !peerPutOff.contains(channel.stream());
            if (channel.standstillNanos(nowNanos, peerReads) > timeoutNanos) {
                giveUp(channel);
            }
        }
    }

    /** A copy: what the streams do may end some of them. */
    private List<DataChannel> live() {
        return new ArrayList<>(streams.values());
    }
}
