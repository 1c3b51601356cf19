package io.hawser.it.bench.links;

import io.hawser.common.observe.Json;
import io.hawser.it.bench.links.Wan.Site;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code hawser bench links}: each work over its link, several times through sessions that are there and have been used. The nodes
 * are new for each link.
 *
 * <p>Thread: main; {@link #end} any.
 */
public final class LinksBench {
    /** Between two runs nothing is sent for so long, as between two files of a user. */
    private static final long PAUSE_MILLIS = 2_000;

    private static final int WARM_UPS = 2;

    private final Wan wan;
    private final Path directory;
    private final int runs;
    private final PrintWriter out;
    private final List<Result> results = new ArrayList<>();
    private volatile @Nullable LinkNodes nodes;
    private volatile @Nullable LinkClient client;

    /**
     * What one work took.
     *
     * @param seconds of each run, in their order
     * @param wireRatio bytes of IP packets in the payload's direction for each byte of payload, of all runs together
     */
    public record Result(
            String work,
            String link,
            List<Double> seconds,
            double medianSeconds,
            double limitSeconds,
            double aimSeconds,
            double wireRatio) {}

    /**
     * @param wan where the emulator is
     * @param directory for the nodes' data
     */
    public LinksBench(Path wan, Path directory, int runs, PrintWriter out) throws IOException {
        this.wan = new Wan(wan);
        this.directory = directory;
        this.runs = runs;
        this.out = out;
    }

    /** Measures and prints; as JSON at the end if {@code json}. */
    public void run(boolean json) throws IOException, InterruptedException {
        if (!json) {
            out.printf(
                    Locale.ROOT,
                    "%-16s %-34s %9s %21s %8s %8s %7s %6s%n",
                    "work",
                    "link",
                    "median s",
                    "least..most s",
                    "limit s",
                    "of limit",
                    "aim s",
                    "wire");
        }
        Map<Link, List<LinkWork>> byLink = new LinkedHashMap<>();
        for (LinkWork work : LinkWork.values()) {
            byLink.computeIfAbsent(work.link, link -> new ArrayList<>()).add(work);
        }
        try (wan) {
            for (Map.Entry<Link, List<LinkWork>> entry : byLink.entrySet()) {
                wan.up(entry.getKey());
                measure(entry.getValue(), json);
            }
        }
        if (json) {
            out.println(Json.text(Map.of("processors", Runtime.getRuntime().availableProcessors(), "links", results)));
        }
        out.flush();
    }

    private void measure(List<LinkWork> works, boolean json) throws IOException, InterruptedException {
        Path place = Files.createDirectories(directory.resolve("link-" + results.size()));
        try (LinkNodes started = new LinkNodes(wan, place);
                LinkClient driver = new LinkClient(wan, started, place)) {
            nodes = started;
            client = driver;
            for (LinkWork work : works) {
                Result result = once(work, driver);
                results.add(result);
                if (!json) {
                    print(result);
                }
            }
        }
    }

    private Result once(LinkWork work, LinkClient driver) throws IOException, InterruptedException {
        Site source = work.kind == LinkWork.Kind.DOWNLOAD ? Site.RIGHT : Site.LEFT;
        String name = work.name().toLowerCase(Locale.ROOT);
        if (work.kind == LinkWork.Kind.DOWNLOAD) {
            driver.run("upload " + name + " " + work.bytes + " 0");
        }
        List<Double> seconds = new ArrayList<>();
        long sentBefore = 0;
        for (int i = -WARM_UPS; i < runs; i++) {
            Thread.sleep(PAUSE_MILLIS);
            if (i == 0) {
                sentBefore = wan.sentBytes(source);
            }
            double took = driver.run(order(work, name, i + WARM_UPS));
            if (i >= 0) {
                seconds.add(took);
            }
        }
        double wireRatio = (wan.sentBytes(source) - sentBefore) / ((double) work.bytes * runs);
        return new Result(
                work.title,
                work.link.toString(),
                seconds,
                median(seconds),
                work.limitSeconds(),
                work.aimSeconds,
                wireRatio);
    }

    private static String order(LinkWork work, String name, int run) {
        return switch (work.kind) {
            case UPLOAD -> "upload " + name + "-" + run + " " + work.bytes + " " + run;
            case DOWNLOAD -> "download " + name + " " + work.bytes + " 0";
            case SMALL ->
                "small " + name + "-" + run + " " + work.bytes / LinkWork.SMALL_BYTES + " " + LinkWork.SMALL_BYTES;
        };
    }

    private void print(Result result) {
        out.printf(
                Locale.ROOT,
                "%-16s %-34s %9.2f %10.2f..%9.2f %8.2f %6.0f %% %7.2f %6.2f%n",
                result.work(),
                result.link(),
                result.medianSeconds(),
                Collections.min(result.seconds()),
                Collections.max(result.seconds()),
                result.limitSeconds(),
                100 * result.limitSeconds() / result.medianSeconds(),
                result.aimSeconds(),
                result.wireRatio());
        out.flush();
    }

    private static double median(List<Double> values) {
        double[] sorted =
                values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1
                ? sorted[middle]
                : Arrays.stream(sorted, middle - 1, middle + 1).average().orElseThrow();
    }

    /** Ends the processes and takes the link down. */
    public void end() {
        LinkClient driver = client;
        LinkNodes started = nodes;
        if (driver != null) {
            driver.close();
        }
        if (started != null) {
            started.close();
        }
        try {
            wan.close();
        } catch (IOException e) {
            out.println("the link could not be taken down: " + e.getMessage());
        }
    }
}
