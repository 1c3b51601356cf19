package io.hawser.core.hop;

import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.TransferKey;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A link that remembers what was sent. */
final class FakeLink implements HopLink {
    final List<HopMessage> sent = new ArrayList<>();
    private final ArrayDeque<Runnable> asking = new ArrayDeque<>();
    int wakes;

    @Nullable
    String ended;

    int streams = 1;
    int packetBytes = Integer.MAX_VALUE;
    final Map<Integer, Integer> stuckBytes = new HashMap<>();

    @Override
    public void send(HopMessage message) {
        // The codec encodes at once: what changes later in the sender's own objects must not show.
        if (message instanceof HopMessage.Resume resume) {
            sent.add(new HopMessage.Resume(resume.key(), resume.durable().copy()));
        } else {
            sent.add(message);
        }
    }

    @Override
    public void wake() {
        wakes++;
    }

    @Override
    public void probe(Runnable then) {
        asking.add(then);
    }

    @Override
    public void end(String reason) {
        ended = reason;
    }

    int asked() {
        return asking.size();
    }

    /** The peer gives the signs of life that it was asked for. */
    void hear() {
        while (!asking.isEmpty()) {
            asking.removeFirst().run();
        }
    }

    @Override
    public int streams() {
        return streams;
    }

    @Override
    public int packetBytes(int stream) {
        return packetBytes;
    }

    @Override
    public int stuckBytes(int stream) {
        return stuckBytes.getOrDefault(stream, 0);
    }

    /** What was sent since the last call, without the credit grants. */
    List<HopMessage> take() {
        List<HopMessage> taken = new ArrayList<>(sent);
        taken.removeIf(HopMessage.Credit.class::isInstance);
        sent.clear();
        return taken;
    }

    static HopMessage.Ack ack(TransferKey key, long start, long end) {
        return new HopMessage.Ack(key, FragmentRanges.of(start, end));
    }
}
