package io.hawser.release.drill;

import io.hawser.it.harness.Shell;
import io.hawser.release.process.ProcessChain;
import io.hawser.release.process.ProcessChain.Part;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Looks at a node from outside: heap after a collection (jcmd), and what the kernel says of handles, threads, memory and files.
 *
 * <p>Thread: one.
 */
final class SoakProbe {
    static final String HEAP = "heap after GC, KiB";
    static final String METASPACE = "metaspace, KiB";
    static final String RESIDENT = "resident, KiB";
    static final String HANDLES = "open handles";
    static final String THREADS = "threads";
    static final String FILES = "files in its directory";

    private static final Pattern GENERATION = Pattern.compile("generation +total \\d+K, used (\\d+)K");
    private static final Pattern META = Pattern.compile("Metaspace +used (\\d+)K");

    private final ProcessChain chain;

    SoakProbe(ProcessChain chain) {
        this.chain = chain;
    }

    /** What there is to know of a node now. Throws if it dies or does not answer meanwhile. */
    Map<String, Double> look(Part part, long pid) throws IOException {
        Map<String, Double> values = new LinkedHashMap<>();
        String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        Shell.run(jcmd, Long.toString(pid), "GC.run");
        String said = Shell.run(jcmd, Long.toString(pid), "GC.heap_info");
        values.put(HEAP, sum(GENERATION, said));
        values.put(METASPACE, sum(META, said));
        Path process = Path.of("/proc", Long.toString(pid));
        String status = Files.readString(process.resolve("status"));
        values.put(RESIDENT, sum(Pattern.compile("VmRSS:\\s+(\\d+) kB"), status));
        values.put(THREADS, sum(Pattern.compile("Threads:\\s+(\\d+)"), status));
        values.put(HANDLES, (double) count(process.resolve("fd"), 1));
        values.put(FILES, files(part));
        return values;
    }

    /** Of agent-b also what it keeps hidden beside the files that it delivers. */
    private double files(Part part) throws IOException {
        double own = count(chain.data(part), Integer.MAX_VALUE);
        return part == Part.AGENT_B ? own + count(chain.target(), Integer.MAX_VALUE) : own;
    }

    private static long count(Path directory, int depth) throws IOException {
        try (Stream<Path> all = Files.walk(directory, depth)) {
            return all.count();
        } catch (UncheckedIOException e) {
            throw e.getCause(); // something was deleted under its feet
        }
    }

    private static double sum(Pattern pattern, String text) throws IOException {
        Matcher matcher = pattern.matcher(text);
        double sum = 0;
        boolean found = false;
        while (matcher.find()) {
            sum += Double.parseDouble(matcher.group(1));
            found = true;
        }
        if (!found) {
            throw new IOException("nothing like '" + pattern + "' in: " + text);
        }
        return sum;
    }
}
