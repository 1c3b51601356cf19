package io.hawser.it.bench.links;

import io.hawser.common.config.ByteSize;
import io.hawser.it.bench.links.LinkWork.Kind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;

/** {@code hawser bench sweep}: one file over links that differ in one thing. */
public final class Sweep {
    private static final long MIB = 1 << 20;
    private static final int MEGABITS = 100;
    private static final int MIDDLE_RTT_MILLIS = 80;
    private static final int FAR_RTT_MILLIS = 600;

    /** What differs. Its word is a label of the figures, whose value is a number. */
    public enum Over {
        /** Round-trip time in ms: 64 MiB at 100 Mbit/s without loss. */
        RTT("10,40,80,160,320,600"),
        /** How many streams: 16 MiB at 100 Mbit/s, 80 ms, 0.1 % of loss, cubic. */
        STREAMS("1,2,4,8,16,32,64"),
        /** Packets lost of a hundred: 16 MiB at 100 Mbit/s, 80 ms, cubic. */
        LOSS("0,0.01,0.03,0.1,0.3,1"),
        /** Bytes of the file: at 100 Mbit/s, 600 ms. */
        SIZE("64MiB,16MiB,4MiB,1MiB,256KiB,64KiB");

        private final String points;

        Over(String points) {
            this.points = points;
        }

        /** The name of the label. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        /** The points that are taken if none are given. */
        public String points() {
            return points;
        }

        /** A point, from a text. @throws IllegalArgumentException with what is wrong */
        double parse(String text) {
            double value = this == SIZE ? ByteSize.parse(text).bytes() : Double.parseDouble(text);
            boolean whole = this == LOSS || value == Math.rint(value);
            if (!whole || value < (this == LOSS ? 0 : 1) || (this == LOSS && value > 50)) {
                throw new IllegalArgumentException("'" + text + "' is no point of " + word());
            }
            return value;
        }
    }

    private Sweep() {}

    /**
     * The races.
     *
     * @param points as a user writes them, with commas between
     * @throws IllegalArgumentException with what is wrong with them
     */
    static List<Race> races(Over over, String points, boolean down, boolean withPeers) {
        List<Race> races = new ArrayList<>();
        for (String text : points.split(",", -1)) {
            double x = over.parse(text.strip());
            races.add(race(over, x, down ? Kind.DOWNLOAD : Kind.UPLOAD, withPeers));
        }
        return races;
    }

    private static Race race(Over over, double x, Kind kind, boolean withPeers) {
        Link link =
                switch (over) {
                    case RTT -> Link.of(MEGABITS, (int) x);
                    case SIZE -> Link.of(MEGABITS, FAR_RTT_MILLIS);
                    case LOSS -> new Link(MEGABITS, MIDDLE_RTT_MILLIS, x, true);
                    case STREAMS -> new Link(MEGABITS, MIDDLE_RTT_MILLIS, 0.1, true);
                };
        long bytes =
                switch (over) {
                    case RTT -> 64 * MIB;
                    case SIZE -> (long) x;
                    case LOSS, STREAMS -> 16 * MIB;
                };
        Map<String, String> of = new LinkedHashMap<>();
        of.put(over.word(), x == Math.rint(x) ? Long.toString((long) x) : Double.toString(x));
        of.put("work", ByteSize.human(bytes) + (kind == Kind.UPLOAD ? " up" : " down"));
        of.put("link", link.toString());
        return new Race(
                of,
                new LinkWork(link, kind, bytes),
                over == Over.STREAMS ? Integer.toString((int) x) : "",
                true,
                withPeers ? peers(over, x, kind) : List.of(),
                OptionalDouble.empty());
    }

    /** Where streams are what differs, who has streams; elsewhere what people use, with usual numbers of them. */
    private static List<PeerProgram> peers(Over over, double x, Kind kind) {
        if (over == Over.STREAMS) {
            return List.of(new GridFtpStreams((int) x));
        }
        return List.<PeerProgram>of(Peer.GRIDFTP_4, Peer.GRIDFTP_16, Peer.CURL, Peer.ARIA2, Peer.RSYNC).stream()
                .filter(peer -> peer.does(kind))
                .toList();
    }
}
