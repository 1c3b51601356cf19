package io.hawser.it.power;

import io.hawser.it.ledger.Ledger;
import io.hawser.it.ledger.Violations;
import io.hawser.it.power.FaultPoints.Fault;
import io.hawser.ptcp.testkit.TestTimes;
import io.hawser.release.process.NodeProcess.NotReadyException;
import io.hawser.release.process.ProcessChain;
import io.hawser.release.process.ProcessChain.Part;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A chain of three processes, in each of which any call that changes the disk can be made to kill it or to fail: the N-th call of a small
 * transfer, N = 1, 2, … until there are no more. All that it starts it ends. Thread: one.
 */
final class CallSweep implements Closeable {
    private static final int LARGE_BYTES = (2 << 20) + 300_000;
    private static final int SMALL_BYTES = 5_000;
    private static final int QUIET_MILLIS = 350;
    /** An orderly end takes some seconds on a machine that has much to do. */
    private static final long STUCK_MILLIS =
            TestTimes.scaled(Duration.ofSeconds(8)).toMillis();

    private static final int PAUSE_MILLIS = 15;
    private static final int EXIT_STORAGE = 5;
    private static final int EXIT_KILLED = 137;
    private static final int SHOWN = 3;

    private final Violations violations = new Violations();
    private final Ledger ledger = new Ledger();
    private final Map<Part, FaultPoints> points = new EnumMap<>(Part.class);
    private final Map<Part, Path> roots = new EnumMap<>(Part.class);
    private final Random random = new Random(1);
    private final ProcessChain chain;
    private final Target target;
    private final FtpClient ftp;
    private int round;

    CallSweep(Path directory) throws IOException, InterruptedException {
        chain = new ProcessChain(directory);
        Path delivered = Files.createDirectories(directory.resolve("agent-b").resolve("delivered"));
        for (Part part : Part.values()) {
            Path root = directory.resolve(part.command());
            Files.createDirectories(root);
            roots.put(part, root);
            chain.at(part, root.resolve("data"));
            FaultPoints control = new FaultPoints(directory.resolve(part.command() + ".control"), List.of(root));
            points.put(part, control);
            chain.withEnvironment(part, control.environment());
        }
        chain.into(delivered.toString());
        chain.startAll();
        target = new Target(delivered, ledger, violations);
        ftp = new FtpClient(chain::ftp, ledger, violations);
        beginRound();
        send();
        settle("at first");
        for (Part part : Part.values()) {
            if (control(part).calls() == 0) {
                throw new IOException("no call of " + part.command() + " is seen: is it preloaded?");
            }
        }
    }

    private void beginRound() {
        ledger.beginRound(++round);
    }

    private FaultPoints control(Part part) {
        return points.getOrDefault(part, points.get(Part.BROKER));
    }

    /**
     * Sweeps one node with one fault.
     *
     * @param atStart whether calls are counted from the start of the process on, else from a node at rest on
     * @param first the first N
     * @return whether nothing was violated
     */
    boolean sweep(Part victim, boolean atStart, Fault fault, int first, int last, Consumer<Point> each)
            throws IOException, InterruptedException {
        for (int number = first; number <= last; number++) {
            Point point = point(victim, atStart, fault, number);
            each.accept(point);
            if (!point.violations().isEmpty()) {
                return false;
            }
            if (point.call().equals(Point.END)) {
                return true;
            }
        }
        return true;
    }

    private Point point(Part victim, boolean atStart, Fault fault, int number)
            throws IOException, InterruptedException {
        FaultPoints control = control(victim);
        int attempts = ledger.attempts();
        int acked = ledger.acks();
        beginRound();
        int exit = atStart ? started(victim, control, fault, number) : transferring(victim, control, fault, number);
        boolean hit = control.hits() > 0;
        String call = hit ? control.hitCall().name().toLowerCase(java.util.Locale.ROOT) : Point.END;
        String file = hit ? relative(victim, control.hitPath()) : "";
        control.disarm();
        String what = victim.command() + " " + fault.word() + " at call " + number + " (" + call + " " + file + ")";
        if (hit) {
            checkExit(victim, fault, control, exit, what);
        } else if (exit != -1) {
            violations.add("exit", what + ": ended with " + exit + " though nothing happened");
        } else if (ledger.attempts() - attempts != ledger.acks() - acked) {
            violations.add("refused", what + ": refused an object though nothing happened");
        }
        if (!chain.isRunning(victim)) {
            restart(victim, what);
        }
        settle(what);
        target.clear(round - 1);
        return new Point(
                System.getProperty("hawser.commit", "unknown"),
                victim.command(),
                atStart ? "start" : "transfer",
                fault.word(),
                number,
                call,
                file,
                exit,
                ledger.attempts() - attempts,
                ledger.acks() - acked,
                violations.lines());
    }

    private String relative(Part victim, String path) {
        String root = roots.getOrDefault(victim, Path.of("/")).toString();
        return path.startsWith(root) ? path.substring(root.length()) : path;
    }

    /** What a failed call must lead to. What is in the index may be lost, so nothing there needs to end a node. */
    private void checkExit(Part victim, Fault fault, FaultPoints control, int exit, String what) {
        if (fault == Fault.KILL) {
            if (exit != EXIT_KILLED) {
                violations.add("exit", what + ": ended with " + exit);
            }
            return;
        }
        if (exit != -1 && exit != EXIT_STORAGE) {
            violations.add("exit", what + ": ended with " + exit + ", not with " + EXIT_STORAGE);
        }
        if (exit == -1 && mustEnd(victim, fault, control)) {
            violations.add("fail-stop", what + ": " + victim.command() + " goes on");
        }
    }

    /** Whether what has failed is worth the node's life. */
    private boolean mustEnd(Part victim, Fault fault, FaultPoints control) {
        if (fault == Fault.KILL || control.hits() == 0) {
            return false;
        }
        boolean forced = control.hitCall().isForce();
        boolean written = control.hitCall() == FaultPoints.Call.PWRITE64
                && fault.errno == Fault.EIO.errno
                && fault.action == Fault.EIO.action;
        String file = relative(victim, control.hitPath());
        return (forced || written) && !Excuse.mayGoOn(fault, file, control.hitBefore());
    }

    private int transferring(Part victim, FaultPoints control, Fault fault, int number) throws InterruptedException {
        int before = ledger.attempts() - ledger.acks();
        control.arm(fault, number);
        CompletableFuture<Void> sent = CompletableFuture.runAsync(() -> send());
        return awaitEnd(victim, fault, control, sent, before);
    }

    private int started(Part victim, FaultPoints control, Fault fault, int number)
            throws IOException, InterruptedException {
        if (victim == Part.AGENT_A) {
            send();
            chain.kill(victim);
        } else {
            chain.kill(victim);
            send();
        }
        control.arm(fault, number);
        try {
            chain.start(victim);
        } catch (NotReadyException e) {
            return e.exitCode();
        }
        return awaitEnd(
                victim, fault, control, CompletableFuture.completedFuture(null), ledger.attempts() - ledger.acks());
    }

    /** Until the node has ended, or all has arrived and nobody writes any more. Returns its exit code, or -1. */
    private int awaitEnd(Part victim, Fault fault, FaultPoints control, CompletableFuture<Void> sent, int before)
            throws InterruptedException {
        long end = System.nanoTime() + TestTimes.LIMIT.toNanos();
        long lastCalls = -1;
        long quietSince = System.nanoTime();
        while (chain.isRunning(victim)) {
            long calls = calls();
            long now = System.nanoTime();
            if (calls != lastCalls) {
                lastCalls = calls;
                quietSince = now;
            }
            long quietMillis = TimeUnit.NANOSECONDS.toMillis(now - quietSince);
            // Who was refused was refused for a reason, of which the node may be about to die.
            boolean arrived =
                    sent.isDone() && target.missing().isEmpty() && ledger.attempts() - ledger.acks() == before;
            boolean stuck = (control.hits() > 0 || sent.isDone()) && quietMillis > STUCK_MILLIS;
            boolean atRest = arrived && quietMillis > QUIET_MILLIS && !mustEnd(victim, fault, control);
            if (atRest || stuck || now > end) {
                break;
            }
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        }
        if (chain.isRunning(victim)) {
            return -1;
        }
        return chain.node(victim).awaitExit(TestTimes.LIMIT);
    }

    private long calls() {
        return points.values().stream().mapToLong(FaultPoints::calls).sum();
    }

    /** A large object and a small one, one after the other. */
    private void send() {
        upload("large-" + round, LARGE_BYTES);
        upload("small-" + round, SMALL_BYTES);
    }

    private void upload(String name, int sizeBytes) {
        byte[] content = new byte[sizeBytes];
        random.nextBytes(content);
        try {
            ftp.upload(name, content);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void restart(Part victim, String what) throws IOException {
        try {
            PatientStart.of(chain, victim);
        } catch (NotReadyException e) {
            violations.add("start", what + ": does not start afterwards: " + e.getMessage());
        }
    }

    /** All that was promised arrives, and then nobody writes any more. */
    private void settle(String what) throws InterruptedException {
        long end = System.nanoTime() + TestTimes.LIMIT.toNanos();
        long lastCalls = -1;
        long quietSince = System.nanoTime();
        while (true) {
            List<String> missing = target.missing();
            long now = System.nanoTime();
            if (calls() != lastCalls) {
                lastCalls = calls();
                quietSince = now;
            }
            if (missing.isEmpty() && now - quietSince > TimeUnit.MILLISECONDS.toNanos(QUIET_MILLIS)) {
                break;
            }
            if (now > end || !violations.isEmpty()) {
                missing.stream()
                        .limit(SHOWN)
                        .forEach(name -> violations.add("lost", what + ": does not arrive: " + name));
                break;
            }
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        }
        for (Part part : Part.values()) {
            if (!chain.isRunning(part)) {
                violations.add("exit", what + ": " + part.command() + " has ended");
            }
        }
    }

    @Override
    public void close() {
        target.close();
        chain.close();
    }
}
