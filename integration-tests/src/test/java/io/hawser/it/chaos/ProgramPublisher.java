package io.hawser.it.chaos;

import io.hawser.it.ledger.Ledger;
import io.hawser.ptcp.testkit.TestTimes;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A Java program in a process of its own ({@link ChaosProgram}) that sends objects, is killed now and then, and returns with its
 * journal. What it was told is spooled must arrive although it was killed; what it was not told of may.
 *
 * <p>Thread: its own, and one for each life of the program.
 */
final class ProgramPublisher extends Publisher implements AutoCloseable {
    private static final int AT_ONCE = 50;
    private static final long START_LIMIT_SECONDS = 2 * TestTimes.SECONDS;
    private static final int FIRST_LIFE_MILLIS = 4000;
    private static final int LIFE_MILLIS = 30_000;

    private final String broker;
    private final FaultCounts counts;
    private final Map<String, Ledger.Version> asked = new ConcurrentHashMap<>();
    private final AtomicInteger ready = new AtomicInteger();
    private volatile int open = -1;
    private volatile boolean asking;
    private volatile @Nullable Process program;
    private @Nullable PrintStream in;
    private @Nullable Thread reader;
    private int lives;
    private long dueNanos;

    ProgramPublisher(String name, RunParts run, SplittableRandom random, String broker) {
        super(name, run.settings().pace(), run, random);
        this.broker = broker;
        counts = run.counts();
        dueNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(FIRST_LIFE_MILLIS);
    }

    @Override
    void once() throws Exception {
        if (program == null) {
            live();
        } else if (settings.faults().contains(Fault.PROGRAM) && System.nanoTime() > dueNanos) {
            die();
            counts.add(Fault.PROGRAM, "app", 1);
            live();
            dueNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(1 + random.nextInt(LIFE_MILLIS));
        }
        if (asked.size() < AT_ONCE) {
            send();
        }
    }

    private void send() {
        String path = nextPath();
        long seed = random.nextLong();
        byte[] content = Content.of(new SplittableRandom(seed), nextContent(path).length);
        Ledger.Version version = ledger.version(path, content);
        asked.put(encoded(path) + " " + version.number, version);
        ledger.attempt(version);
        say("send " + encoded(path) + " " + version.number + " " + seed + " " + content.length);
    }

    private static String encoded(String path) {
        return URLEncoder.encode(path, StandardCharsets.UTF_8);
    }

    private void say(String line) {
        PrintStream to = in;
        if (to != null) {
            to.println(line);
        }
    }

    /** Whether all lives have sent all. Asks the program, which answers with delay. */
    @Override
    boolean isDone() {
        if (!super.isDone()) {
            return false;
        }
        if (!asking) {
            asking = true;
            say("open");
        }
        return open == 0 && asked.isEmpty();
    }

    /** With how many transfers the program has said to be on their way; -1 if it was not asked or has not answered. */
    @Override
    String standing() {
        return super.standing() + "; " + open + " transfers on their way, " + asked.size() + " without an answer, "
                + lives + " lives";
    }

    private void live() throws IOException, InterruptedException {
        Path log = settings.directory().resolve(name + ".err");
        Process fresh = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-Dfile.encoding=UTF-8",
                        "-Dsun.jnu.encoding=UTF-8",
                        "-cp",
                        System.getProperty("java.class.path"),
                        ChaosProgram.class.getName(),
                        broker,
                        settings.directory().resolve(name).toString()))
                .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
        program = fresh;
        in = new PrintStream(fresh.getOutputStream(), true, StandardCharsets.UTF_8);
        lives++;
        Thread listening = new Thread(() -> listen(fresh), name + "-" + lives);
        listening.setDaemon(true);
        listening.setUncaughtExceptionHandler(violations::ended);
        listening.start();
        reader = listening;
        long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_LIMIT_SECONDS);
        while (ready.get() < lives && System.nanoTime() < limit) {
            TimeUnit.MILLISECONDS.sleep(20);
        }
        if (ready.get() < lives) {
            throw new IllegalStateException("the program does not start; see " + log);
        }
    }

    private void die() throws InterruptedException {
        Process victim = program;
        Thread listening = reader;
        if (victim == null || listening == null) {
            return;
        }
        victim.toHandle().destroyForcibly();
        victim.waitFor();
        listening.join();
        asked.values().forEach(version -> ledger.failed(version, "killed"));
        asked.clear();
    }

    private void listen(Process of) {
        try (BufferedReader out =
                new BufferedReader(new InputStreamReader(of.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                hear(line.split(" "));
            }
        } catch (IOException e) {
            return; // it was killed
        }
    }

    private void hear(String[] words) {
        switch (words[0]) {
            case "ready" -> ready.incrementAndGet();
            case "open" -> {
                open = Integer.parseInt(words[1]);
                asking = false;
            }
            case "spooled" -> {
                Ledger.Version version = asked.remove(words[1] + " " + words[2]);
                if (version != null) {
                    ledger.acked(version);
                }
            }
            case "failed" ->
                violations.add(
                        "lost",
                        URLDecoder.decode(words[1], StandardCharsets.UTF_8) + " was refused or failed: "
                                + URLDecoder.decode(words[3], StandardCharsets.UTF_8));
            default -> throw new IllegalStateException("the program says " + words[0]);
        }
    }

    @Override
    public void close() {
        Process last = program;
        if (last != null) {
            last.toHandle().destroyForcibly();
        }
    }
}
