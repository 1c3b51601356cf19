package io.hawser.it.bench.links;

import io.hawser.it.bench.links.Race.Kind;
import io.hawser.it.bench.report.Measurement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;

/**
 * {@code hawser bench papers}: the tables of the papers that Hawser comes from, as far as their works can be done again: documents over
 * a satellite's round trip by several numbers of parallel streams; 60 MB over growing round trips; and 25 to 400 MB over one and two
 * streams, beside GridFTP. What the papers' links carried is not known here: these carry 100 Mbit/s, the last table's 1 Gbit/s.
 */
public final class PaperRaces {
    private static final long KB = 1_000;
    private static final long MB = 1_000_000;

    /** Which tables. */
    public enum Part {
        /** All of them. */
        ALL,
        /** Documents of 256 kB to 64 MB at 600 ms. */
        SIZES,
        /** 60 MB at 40 to 320 ms. */
        RTT,
        /** 25 to 400 MB over 1 and 2 streams. */
        STREAMS
    }

    private static final int SATELLITE_RTT_MILLIS = 600;
    private static final int MOST_OF_HAWSER = 64;
    private static final List<Integer> STREAMS = List.of(1, 16, 64, 128);
    private static final List<Long> DOCUMENTS = List.of(64 * MB, 16 * MB, 4 * MB, MB, 256 * KB);
    /** GridFTP's time there hangs on the size only a little, and is long. */
    private static final List<Long> DOCUMENTS_OF_GRIDFTP = List.of(64 * MB, 4 * MB, 256 * KB);

    /** Seconds that GridFTP took for 60 MB in the paper, by ms of round-trip time. */
    private static final Map<Integer, Double> GRIDFTP_IN_THE_PAPER =
            new TreeMap<>(Map.of(40, 22.9, 80, 32.3, 160, 52.9, 320, 87.5));

    private PaperRaces() {}

    /** The races of one table, or of all. */
    static List<Race> races(Part part) {
        List<Race> races = new ArrayList<>();
        if (part == Part.ALL || part == Part.SIZES) {
            for (int streams : STREAMS) {
                for (long bytes : streams > MOST_OF_HAWSER ? DOCUMENTS_OF_GRIDFTP : DOCUMENTS) {
                    Link link = Link.of(100, SATELLITE_RTT_MILLIS);
                    races.add(race("", bytes, link, streams, DOCUMENTS_OF_GRIDFTP.contains(bytes)));
                }
            }
        }
        if (part == Part.ALL || part == Part.RTT) {
            GRIDFTP_IN_THE_PAPER.forEach((rtt, seconds) ->
                    races.add(race("GridFTP in the paper: " + seconds + " s", 60 * MB, Link.of(100, rtt), 4, true)));
        }
        if (part == Part.ALL || part == Part.STREAMS) {
            for (int streams : List.of(1, 2)) {
                for (long megabytes : List.of(400L, 200L, 100L, 50L, 25L)) {
                    String paper = "in the paper 22 to 31 % slower than GridFTP";
                    races.add(race(paper, megabytes * MB, Link.of(1000, 10), streams, true));
                }
            }
        }
        return races;
    }

    private static Race race(String paper, long bytes, Link link, int streams, boolean withGridFtp) {
        String work = bytes < MB ? bytes / KB + " kB up" : bytes / MB + " MB up";
        Map<String, String> of =
                Measurement.labels("work", work, "link", link.toString(), "streams", Integer.toString(streams));
        if (!paper.isEmpty()) {
            of.put("paper", paper);
        }
        return new Race(
                of,
                link,
                Kind.UPLOAD,
                bytes,
                Integer.toString(streams),
                streams <= MOST_OF_HAWSER,
                withGridFtp ? List.of(PeerProgram.gridFtp(streams)) : List.of(),
                OptionalDouble.empty());
    }
}
