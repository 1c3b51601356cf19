package io.hawser.ptcp.tune;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * A link, and the streams on it, as fluids in steps of a quarter of a round trip, 10 ms at most, of virtual time: a queue that drops what does
 * not fit, or a policer that drops what is over its rate; random loss; streams with slow start, growth by a hundredth (at
 * least a segment) a round trip, and a cut to 0.7 at most once a round trip.
 */
final class LinkModel {
    private static final double SEGMENT = 1448;
    private static final double MOST_STEP_SECONDS = 0.01;
    private static final long KERNEL_MIN_RTT_NANOS = 300_000_000_000L;

    /** A stream's state. */
    static final class Stream {
        private double window = 10 * SEGMENT;
        private double threshold = Double.MAX_VALUE;
        private double sinceCut = 1e9;
        private double acked;
        private double segments;
        private double resent;
        private double busy;
        private double limited;

        /** Has that much on its way at once from here on, in bytes. */
        void window(double bytes) {
            window = bytes;
        }
    }

    /** One sender on the link. */
    static final class Sender {
        final List<Stream> streams = new ArrayList<>();
        boolean demand = true;
        double appBytesPerSecond = Double.MAX_VALUE;
        double limitBytesPerSecond = Double.MAX_VALUE;
        double acked;

        /** As many streams; those that are too many end, new ones begin with ten segments. */
        void use(int count) {
            while (streams.size() > count) {
                streams.remove(streams.size() - 1);
            }
            while (streams.size() < count) {
                streams.add(new Stream());
            }
        }
    }

    final List<Sender> senders = new ArrayList<>();
    private final Random random;
    private double bytesPerSecond;
    private double rttSeconds;
    private double shorterRttSeconds = Double.MAX_VALUE;
    private long longerSinceNanos;
    private final double stepSeconds;
    private double queueBytes;
    private double policerBurst;
    private double policerTokens;
    private double queue;
    private double lossPerSegment;
    private double droppedBytes;
    private double mostWindow = Double.MAX_VALUE;
    private long nowNanos;

    LinkModel(double mbitPerSecond, double rttMillis, long seed) {
        bytesPerSecond = mbitPerSecond * 125_000;
        rttSeconds = rttMillis / 1e3;
        stepSeconds = Math.min(MOST_STEP_SECONDS, rttSeconds / 4);
        queueBytes = Math.max(64_000, bytesPerSecond * rttSeconds);
        random = new Random(seed);
    }

    /** The queue before the link, in bytes. */
    LinkModel queue(double bytes) {
        queueBytes = bytes;
        return this;
    }

    /** No queue: what is over the rate by more than a burst is dropped. */
    LinkModel policer(double burstBytes) {
        policerBurst = burstBytes;
        policerTokens = burstBytes;
        return this;
    }

    /** Each segment is lost with this probability. */
    LinkModel loss(double probability) {
        lossPerSegment = probability;
        return this;
    }

    /** No stream has more on its way: the receiver's window, or the send buffer. */
    LinkModel window(double bytes) {
        mostWindow = bytes;
        return this;
    }

    Sender sender(int streams) {
        Sender sender = new Sender();
        sender.use(streams);
        senders.add(sender);
        return sender;
    }

    long nowNanos() {
        return nowNanos;
    }

    double capacity() {
        return bytesPerSecond;
    }

    /** The link is another one from here on. */
    void becomes(double mbitPerSecond) {
        bytesPerSecond = mbitPerSecond * 125_000;
    }

    /** The way is a longer one from here on, of which the sockets' shortest round trip tells nothing for five minutes. */
    void becomesLonger(double rttMillis) {
        shorterRttSeconds = rttSeconds;
        longerSinceNanos = nowNanos;
        rttSeconds = rttMillis / 1e3;
    }

    private double minRtt() {
        boolean remembered = nowNanos - longerSinceNanos < KERNEL_MIN_RTT_NANOS;
        return remembered ? Math.min(rttSeconds, shorterRttSeconds) : rttSeconds;
    }

    /** What did not fit into the queue. */
    double droppedBytes() {
        return droppedBytes;
    }

    private double rtt() {
        return rttSeconds + queue / bytesPerSecond;
    }

    /** Whoever watches a sender of his and steers it. */
    interface Steering {
        Sender sender();

        void afterStep();
    }

    /** Lets time pass; returns the goodput of each, in bytes per second. */
    double[] run(double seconds, Steering... all) {
        double[] goodput = new double[all.length];
        for (int i = 0; i < all.length; i++) {
            goodput[i] = all[i].sender().acked;
        }
        long end = nowNanos + (long) (seconds * 1e9);
        while (nowNanos < end) {
            step();
            for (Steering each : all) {
                each.afterStep();
            }
        }
        for (int i = 0; i < all.length; i++) {
            goodput[i] = (all[i].sender().acked - goodput[i]) / seconds;
        }
        return goodput;
    }

    /**
     * Lets time pass.
     *
     * @return what the slowest stream of all senders got, as a part of what each would get of the same sum; of those that are there all the time
     */
    double slowestShare(double seconds, Steering... all) {
        Map<Stream, Double> before = new HashMap<>();
        senders.forEach(sender -> sender.streams.forEach(stream -> before.put(stream, stream.acked)));
        double[] unused = run(seconds, all);
        List<Double> acked = new ArrayList<>();
        senders.forEach(sender -> sender.streams.forEach(stream -> {
            Double then = before.get(stream);
            if (then != null) {
                acked.add(stream.acked - then);
            }
        }));
        double sum = acked.stream().mapToDouble(Double::doubleValue).sum();
        return Collections.min(acked) * acked.size() / sum;
    }

    /** A step of time. */
    void step() {
        nowNanos += (long) (stepSeconds * 1e9);
        double offered = 0;
        for (Sender sender : senders) {
            offered += offered(sender);
        }
        double bytes = offered * stepSeconds;
        double dropped = policerBurst > 0 ? policed(bytes) : queued(bytes);
        droppedBytes += dropped;
        double delivered = policerBurst > 0 ? bytes - dropped : Math.min(bytes, bytesPerSecond * stepSeconds);
        for (Sender sender : senders) {
            double raw = raw(sender);
            double all = Math.min(Math.min(sender.appBytesPerSecond, sender.limitBytesPerSecond), raw);
            double full = raw <= 0 ? 0 : all / raw;
            double rtt = rtt();
            for (Stream stream : sender.streams) {
                double part = raw <= 0 ? 0 : rate(stream) * full / Math.max(1, offered);
                advance(sender, stream, bytes * part, delivered * part, dropped / Math.max(1, bytes), full, rtt);
            }
        }
    }

    private double policed(double bytes) {
        policerTokens = Math.min(policerBurst, policerTokens + bytesPerSecond * stepSeconds);
        double dropped = Math.max(0, bytes - policerTokens);
        policerTokens -= bytes - dropped;
        return dropped;
    }

    private double queued(double bytes) {
        queue = Math.max(0, queue + bytes - bytesPerSecond * stepSeconds);
        double dropped = Math.max(0, queue - queueBytes);
        queue -= dropped;
        return dropped;
    }

    private double rate(Stream stream) {
        return Math.min(stream.window, mostWindow) / rtt();
    }

    private double raw(Sender sender) {
        double raw = 0;
        for (Stream stream : sender.streams) {
            raw += rate(stream);
        }
        return sender.demand ? raw : 0;
    }

    private double offered(Sender sender) {
        return Math.min(Math.min(sender.appBytesPerSecond, sender.limitBytesPerSecond), raw(sender));
    }

    private void advance(
            Sender sender, Stream stream, double sent, double arrived, double dropShare, double full, double rtt) {
        double segments = sent / SEGMENT;
        double lossShare = Math.min(1, dropShare + lossPerSegment);
        boolean lost = segments > 0 && random.nextDouble() < 1 - Math.pow(1 - lossShare, segments);
        double good = arrived * (1 - lossPerSegment);
        stream.acked += good;
        sender.acked += good;
        stream.segments += segments;
        stream.resent += segments * lossShare;
        stream.sinceCut += stepSeconds;
        if (sent > 0) {
            stream.busy += stepSeconds;
            stream.limited += stream.window >= mostWindow ? stepSeconds : 0;
        }
        if (lost && stream.sinceCut > rtt) {
            stream.window = Math.max(2 * SEGMENT, stream.window * 0.7);
            stream.threshold = stream.window;
            stream.sinceCut = 0;
        } else if (full > 0.9 && stream.window < mostWindow) {
            double roundTrips = stepSeconds / rtt;
            stream.window += stream.window < stream.threshold
                    ? stream.window * (Math.pow(2, roundTrips) - 1)
                    : Math.max(SEGMENT, stream.window / 100) * roundTrips;
        }
    }

    /** What a socket would say. */
    StreamMeasure measure(Stream stream) {
        return new StreamMeasure(
                new StreamMeasure.RoundTrip((long) (rtt() * 1e9), (long) (minRtt() * 1e9)),
                new StreamMeasure.Window((long) Math.min(stream.window, mostWindow), 0, 0),
                new StreamMeasure.Segments((long) stream.acked, 1, (long) stream.segments, (long) stream.resent),
                new StreamMeasure.SendTime((long) (stream.busy * 1e9), (long) (stream.limited * 1e9)));
    }
}
