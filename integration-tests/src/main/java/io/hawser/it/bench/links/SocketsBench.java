package io.hawser.it.bench.links;

import com.fasterxml.jackson.databind.JsonNode;
import io.hawser.it.bench.links.Wan.Site;
import io.hawser.it.bench.report.Bench;
import io.hawser.it.bench.report.BenchReport;
import io.hawser.it.bench.report.Measurement;
import io.hawser.it.bench.report.MedianAndRange;
import io.hawser.ops.observe.Json;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * {@code hawser bench ptcp}: bytes from one process to another through a PTCPSocket, as many plain sockets, and iperf3 with as many
 * streams, by turns: on loopback, and over emulated links if there is an emulator. Nothing is stored. The rate is what the receiving
 * end sees from the first byte to the last; iperf3's is the one that it gives for its receiver. The sender has just started; on loopback also one
 * whose process has sent some before.
 */
public final class SocketsBench implements Bench {
    private static final int LIMIT_SECONDS = 600;
    private static final int IPERF_PORT = 5201;
    private static final String OURS = "PTCPSocket";
    private static final String WARM = ", warm";
    private static final String CUBIC = "cubic";
    /** How often as many bytes a process sends first: the compiler is at rest after 7 GiB. */
    private static final int WARM_UP = 8;

    private static final long PAUSE_MILLIS = 500;
    private static final long MIB = 1 << 20;

    private static final Path CONGESTION_CONTROLS = Path.of("/proc/sys/net/ipv4/tcp_available_congestion_control");
    private static final List<Map.Entry<Link, Long>> LINKS = List.of(
            Map.entry(Link.of(100, 600), 64 * MIB),
            Map.entry(Link.of(100, 80), 64 * MIB),
            Map.entry(new Link(100, 80, 0.1, true), 64 * MIB),
            Map.entry(Link.of(1000, 10), 400 * MIB));

    private final @Nullable Wan wan;
    private final Path directory;
    private final int streams;
    private final int runs;
    private final long loopbackBytes;
    private final BenchJvm jvm;
    private final ConcurrentLinkedQueue<Process> servers = new ConcurrentLinkedQueue<>();

    /**
     * @param emulator where the link emulator is; without one only loopback is measured
     * @param directory for a file or two
     * @param streams data channels, and plain connections
     * @param loopbackBytes what is sent on loopback
     */
    public SocketsBench(Optional<Path> emulator, Path directory, int streams, int runs, long loopbackBytes)
            throws IOException {
        this.wan = emulator.isPresent() ? new Wan(emulator.get(), directory) : null;
        this.directory = directory;
        this.streams = streams;
        this.runs = runs;
        this.loopbackBytes = loopbackBytes;
        this.jvm = new BenchJvm(directory);
    }

    /** Where the two ends are, and how programs are started there. */
    private record Ends(String name, List<String> sending, List<String> receiving, String address) {}

    @Override
    public boolean run(BenchReport report) throws IOException, InterruptedException {
        if (!hasIperf()) {
            report.note("iperf3 is not installed (Debian: iperf3)");
        }
        measure(new Ends("loopback", List.of(), List.of(), "127.0.0.1"), loopbackBytes, 0, report);
        Wan emulator = wan;
        if (emulator != null) {
            try (emulator) {
                for (Map.Entry<Link, Long> entry : LINKS) {
                    emulator.up(entry.getKey());
                    Ends ends = new Ends(
                            entry.getKey().toString(),
                            emulator.at(Site.LEFT),
                            emulator.at(Site.RIGHT),
                            Site.RIGHT.address());
                    measure(ends, entry.getValue(), entry.getKey().megabits(), report);
                }
            }
        }
        return true;
    }

    /** One way to bring the bytes over. */
    private interface Way {
        double seconds() throws IOException, InterruptedException;
    }

    private void measure(Ends ends, long bytes, int linkMegabits, BenchReport report)
            throws IOException, InterruptedException {
        try {
            Map<String, Way> ways = ways(ends, bytes);
            Map<String, List<Double>> megabits = new LinkedHashMap<>();
            for (int i = 0; i < runs; i++) {
                for (Map.Entry<String, Way> way : ways.entrySet()) {
                    TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
                    megabits.computeIfAbsent(way.getKey(), by -> new ArrayList<>())
                            .add(bytes * 8 / 1e6 / way.getValue().seconds());
                }
            }
            report(ends.name(), megabits, linkMegabits, report);
        } finally {
            endServers();
        }
    }

    private Map<String, Way> ways(Ends ends, long bytes) throws IOException {
        boolean onLoopback = ends.sending().isEmpty();
        Map<String, Way> ways = new LinkedHashMap<>();
        for (String kind : List.of("ptcp", "plain")) {
            List<String> serving = jvm.command(SocketEnd.class, "serve", kind, ends.address());
            String server = ends.address() + ":" + firstLine(serve(ends, serving));
            String name = kind.equals("ptcp") ? OURS : "plain sockets";
            ways.put(name, () -> seconds(ends, kind, server, bytes, 0));
            if (onLoopback) { // over a link the compiler has all the time it wants
                ways.put(name + WARM, () -> seconds(ends, kind, server, bytes, WARM_UP * bytes));
            }
        }
        if (hasIperf()) {
            String port = Integer.toString(onLoopback ? Programs.freePort() : IPERF_PORT);
            firstLine(serve(ends, List.of("iperf3", "--forceflush", "-s", "-B", ends.address(), "-p", port)));
            ways.put("iperf3 -P " + streams, () -> iperf(ends, port, bytes));
            if (onLoopback && hasCubic()) { // which PTCP chooses there
                ways.put("iperf3 -P " + streams + " -C " + CUBIC, () -> iperf(ends, port, bytes, "-C", CUBIC));
            }
        }
        return ways;
    }

    private double seconds(Ends ends, String kind, String server, long bytes, long warmUp)
            throws IOException, InterruptedException {
        List<String> sending = jvm.command(
                SocketEnd.class,
                "send",
                kind,
                server,
                Integer.toString(streams),
                Long.toString(bytes),
                Long.toString(warmUp));
        return Double.parseDouble(output(ends, sending).strip());
    }

    /** A link's limit is its rate; loopback's what the best of the others has reached. */
    private static void report(String link, Map<String, List<Double>> megabits, int linkMegabits, BenchReport report) {
        double best = megabits.entrySet().stream()
                .filter(each -> !each.getKey().startsWith(OURS))
                .mapToDouble(each -> MedianAndRange.of(each.getValue()).median())
                .max()
                .orElse(0);
        megabits.forEach((by, rates) -> {
            Measurement figure = Measurement.of(Measurement.labels("link", link, "by", by), "Mbit/s", rates)
                    .also("x the best of the others", MedianAndRange.of(rates).median() / best);
            report.add(
                    linkMegabits == 0
                            ? figure.limited(best, "on loopback: the best of plain sockets and iperf3, median")
                            : figure.limited(
                                    linkMegabits, "the link's rate, of IP packets: TCP can have 96.5 % of it"));
        });
    }

    private double iperf(Ends ends, String port, long bytes, String... more) throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of("iperf3", "-c", ends.address(), "-p", port));
        // The number of bytes is that of all streams together.
        words.addAll(List.of("-P", Integer.toString(streams), "-n", Long.toString(bytes), "-J"));
        words.addAll(List.of(more));
        JsonNode said = Json.tree(output(ends, words).getBytes(StandardCharsets.UTF_8));
        double rate =
                said.path("end").path("sum_received").path("bits_per_second").asDouble();
        if (rate <= 0) {
            throw new IOException(
                    "iperf3: "
                            + said.path("error")
                                    .asText(
                                            "it gives no rate; so few bytes are sent before it counts any: give more with --size"));
        }
        return bytes * 8 / rate;
    }

    private static boolean hasIperf() {
        return Programs.missing(List.of("iperf3")).isEmpty();
    }

    private static boolean hasCubic() throws IOException {
        return Files.isReadable(CONGESTION_CONTROLS)
                && List.of(Files.readString(CONGESTION_CONTROLS).strip().split(" "))
                        .contains(CUBIC);
    }

    private ProcessBuilder at(List<String> site, List<String> command) {
        List<String> words = new ArrayList<>(site);
        words.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(words)
                .redirectError(directory.resolve("sockets.log").toFile());
        if (wan != null) {
            builder.environment().putAll(wan.environment());
        }
        return builder;
    }

    private Process serve(Ends ends, List<String> command) throws IOException {
        Process server = at(ends.receiving(), command).start();
        servers.add(server);
        return server;
    }

    /** The first line that a server prints, when it listens. What else it prints is passed over. */
    private static String firstLine(Process server) throws IOException {
        BufferedReader said = server.inputReader(StandardCharsets.UTF_8);
        String line = said.readLine();
        if (line == null) {
            throw new IOException("a server ended at once");
        }
        Thread reading = new Thread(
                () -> {
                    try {
                        long unused = said.transferTo(Writer.nullWriter());
                    } catch (IOException e) {
                        return; // it was ended
                    }
                },
                "reading-server");
        reading.setDaemon(true);
        reading.start();
        return line;
    }

    private String output(Ends ends, List<String> command) throws IOException, InterruptedException {
        Process process = at(ends.sending(), command).start();
        try (BufferedReader said = process.inputReader(StandardCharsets.UTF_8)) {
            String all = said.lines().collect(Collectors.joining("\n"));
            if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
                throw new IOException(String.join(" ", command.subList(0, 1)) + " failed; see "
                        + directory.resolve("sockets.log") + " " + all);
            }
            return all;
        } finally {
            process.destroyForcibly();
        }
    }

    private void endServers() {
        for (Process server = servers.poll(); server != null; server = servers.poll()) {
            server.descendants().forEach(ProcessHandle::destroyForcibly);
            server.destroyForcibly();
        }
    }

    /** Ends the processes and takes the link down. */
    @Override
    public void end() {
        endServers();
        if (wan != null) {
            wan.end();
        }
    }
}
