package io.hawser.it.harness;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a JVM's heap holds after a full collection, by the JDK's {@code jcmd}. Thread: any. */
public final class HeapProbe {
    /** As the serial collector tells each of its generations. */
    private static final Pattern USED = Pattern.compile("(?:def new|tenured) generation\\s+total \\d+K, used (\\d+)K");

    private HeapProbe() {}

    /** Collects, and tells what is left. @throws IOException if that JVM does not answer, or has another collector */
    public static long usedBytes(long pid) throws IOException, InterruptedException {
        jcmd(pid, "GC.run");
        Matcher generations = USED.matcher(jcmd(pid, "GC.heap_info"));
        long kib = 0;
        int found = 0;
        while (generations.find()) {
            kib += Long.parseLong(generations.group(1));
            found++;
        }
        if (found != 2) {
            throw new IOException("the heap of process " + pid + " is not told as the serial collector's");
        }
        return kib << 10;
    }

    private static String jcmd(long pid, String command) throws IOException, InterruptedException {
        String program = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
        Process process = new ProcessBuilder(program, Long.toString(pid), command)
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException("jcmd " + pid + " " + command + ": " + said.strip());
        }
        return said;
    }
}
