package io.hawser.it.bench.links;

import io.hawser.core.config.ByteSize;
import io.hawser.it.bench.links.Race.Kind;
import io.hawser.it.bench.report.Measurement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** {@code hawser bench sweep}: one file over links that differ in one thing. */
public final class SweepRaces {
    private static final long MIB = 1 << 20;
    private static final int MEGABITS = 100;
    private static final int MIDDLE_RTT_MILLIS = 80;
    private static final int FAR_RTT_MILLIS = 600;

    /** What differs. Its word is a label of the figures, whose value is a number. */
    public enum Over {
        /** Round-trip time in ms: 64 MiB at 100 Mbit/s without loss. */
        RTT("10,40,80,160,320,600", "a round trip in whole ms from 1 to 10000, such as 80", 1, 10_000),
        /** How many streams: 16 MiB at 100 Mbit/s, 80 ms, 0.1 % of loss, cubic. */
        STREAMS("1,2,4,8,16,32,64", "a number of streams from 1 to 64, such as 4", 1, 64),
        /** Packets lost of a hundred: 16 MiB at 100 Mbit/s, 80 ms, cubic. */
        LOSS("0,0.01,0.03,0.1,0.3,1", "packets lost of a hundred, from 0 to 50, such as 0.1", 0, 50),
        /** Bytes of the file: at 100 Mbit/s, 600 ms. */
        SIZE("64MiB,16MiB,4MiB,1MiB,256KiB,64KiB", "a size from 1 B to 1 TiB, such as 16MiB", 1, 1L << 40);

        private final String points;
        private final String point;
        private final long least;
        private final long most;

        Over(String points, String point, long least, long most) {
            this.points = points;
            this.point = point;
            this.least = least;
            this.most = most;
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
            double value;
            try {
                value = this == SIZE ? ByteSize.parse(text).bytes() : Double.parseDouble(text);
            } catch (IllegalArgumentException e) {
                throw notAPoint(text, e);
            }
            boolean whole = this == LOSS || value == Math.rint(value);
            if (!whole || !(value >= least && value <= most)) {
                throw notAPoint(text, null);
            }
            return value;
        }

        private IllegalArgumentException notAPoint(String text, @Nullable Exception cause) {
            return new IllegalArgumentException(
                    "--points: '" + text + "' is not " + point + "; give them with commas, such as " + points, cause);
        }
    }

    private SweepRaces() {}

    /**
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
        String point = x == Math.rint(x) ? Long.toString((long) x) : Double.toString(x);
        String work = ByteSize.human(bytes) + (kind == Kind.UPLOAD ? " up" : " down");
        return new Race(
                Measurement.labels(over.word(), point, "work", work, "link", link.toString()),
                link,
                kind,
                bytes,
                over == Over.STREAMS ? Integer.toString((int) x) : "",
                true,
                withPeers ? peers(over, x, kind) : List.of(),
                OptionalDouble.empty());
    }

    /** Where streams are what differs, who has streams; elsewhere what people use, with usual numbers of them. */
    private static List<PeerProgram> peers(Over over, double x, Kind kind) {
        if (over == Over.STREAMS) {
            return List.of(PeerProgram.gridFtp((int) x));
        }
        return Stream.of(
                        PeerProgram.gridFtp(4),
                        PeerProgram.gridFtp(16),
                        PeerProgram.CURL,
                        PeerProgram.ARIA2,
                        PeerProgram.RSYNC)
                .filter(peer -> peer.does(kind))
                .toList();
    }
}
