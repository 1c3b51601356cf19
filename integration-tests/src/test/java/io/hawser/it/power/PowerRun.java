package io.hawser.it.power;

import io.hawser.it.harness.FrozenProcess;
import io.hawser.it.harness.LoopDisk;
import io.hawser.it.ledger.Ledger;
import io.hawser.it.ledger.Violations;
import io.hawser.ptcp.testkit.TestTimes;
import io.hawser.release.process.NodeProcess;
import io.hawser.release.process.ProcessChain;
import io.hawser.release.process.ProcessChain.Part;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * A chain whose three nodes have a disk each, under uploads; the power of one or of all is cut, again and again, and each time all that was
 * promised must arrive. All that it starts and mounts it ends. Thread: one.
 */
final class PowerRun implements Closeable {
    /** Whose power is cut: each alone, and all at once. */
    private static final List<List<Part>> VICTIMS =
            List.of(List.of(Part.BROKER), List.of(Part.AGENT_A), List.of(Part.AGENT_B), List.of(Part.values()));

    private static final long DISK_BYTES = 2L << 30;
    private static final int CANARY_BYTES = 256 << 10;
    private static final int CONTROLS_EVERY = 20;
    private static final int FAIL_STOP_MILLIS = 2000;
    private static final int EXIT_STORAGE = 5;
    private static final int SHOWN = 5;

    private final Path directory;
    private final String fileSystem;
    private final long seed;
    private final Violations violations = new Violations();
    private final Ledger ledger = new Ledger();
    private final Map<Part, LoopDisk> disks = new EnumMap<>(Part.class);
    private final ProcessChain chain;
    private final Target target;
    private final Work work;
    private Controls controls;

    /** @param lying lets no force of the nodes do anything once they run: then promises must be broken, or the cuts show nothing */
    PowerRun(Path directory, String fileSystem, long seed, boolean lying) throws IOException, InterruptedException {
        this.directory = directory;
        this.fileSystem = fileSystem;
        this.seed = seed;
        controls = Controls.run(directory, fileSystem);
        List<FaultPoints> liars = new ArrayList<>();
        chain = new ProcessChain(directory);
        try {
            for (Part part : Part.values()) {
                Path mountPoint = directory.resolve("disk-" + part.command());
                disks.put(
                        part,
                        LoopDisk.make(directory.resolve(part.command() + ".img"), mountPoint, fileSystem, DISK_BYTES));
                chain.at(part, mountPoint.resolve("data"));
                if (lying) {
                    liars.add(preload(part, mountPoint));
                }
            }
            Path delivered = mountPoint(Part.AGENT_B).resolve("delivered");
            target = new Target(delivered, ledger, violations);
            chain.into(delivered.toString());
            chain.startAll();
            liars.forEach(FaultPoints::lie);
            work = new Work(chain::ftp, chain.brokerPtcp(), directory.resolve("api"), ledger, violations, seed);
        } catch (IOException | InterruptedException | RuntimeException e) {
            closeDisks();
            throw e;
        }
    }

    private FaultPoints preload(Part part, Path mountPoint) throws IOException, InterruptedException {
        Path control = directory.resolve(part.command() + ".control");
        FaultPoints points = new FaultPoints(control, List.of(mountPoint));
        chain.withEnvironment(part, points.environment());
        return points;
    }

    private Path mountPoint(Part part) {
        return directory.resolve("disk-" + part.command());
    }

    /**
     * Cuts the power so often, unless something is violated before.
     *
     * @param first the number of the first cut, which with the seed decides what it is
     * @param each is told of each
     * @return whether all holds
     */
    boolean run(int first, int last, Consumer<Cut> each) throws IOException, InterruptedException {
        for (int number = first; number <= last; number++) {
            if (number > first && (number - first) % CONTROLS_EVERY == 0) {
                controls = Controls.run(directory, fileSystem);
            }
            Cut cut = cut(number);
            each.accept(cut);
            if (!cut.violations().isEmpty()) {
                return false;
            }
        }
        return true;
    }

    private Cut cut(int number) throws IOException, InterruptedException {
        Random random = new Random(seed * 1_000_003 + number);
        List<Part> victims = victims(number, random);
        boolean consumerForces = random.nextBoolean();
        target.takeNothing(!consumerForces);
        int attempts = ledger.attempts();
        int acked = ledger.acks();
        int ackedByFtp = ledger.acksOf(Work.FTP);
        long ackedBytes = ledger.ackedBytes();
        int published = target.published();
        ledger.beginRound(number);
        work.resume();
        if (!await(() -> ledger.acks() >= acked + 4 && ledger.acksOf(Work.FTP) > ackedByFtp)) {
            violations.add(
                    "liveness",
                    "accepted before cut " + number + ": " + (ledger.acks() - acked) + ", by FTP "
                            + (ledger.acksOf(Work.FTP) - ackedByFtp));
        }
        TimeUnit.MILLISECONDS.sleep(random.nextInt(700));
        Map<String, Integer> exits = powerFails(number, victims, random);
        int canariesLost = powerIsBack(number, victims);
        Map<String, Long> ready = start(victims);
        long settled = settle();
        target.clear(number - 1);
        checkControls(number, victims.size(), canariesLost);
        return new Cut(
                System.getProperty("hawser.commit", "unknown"),
                "Linux " + System.getProperty("os.version") + ", "
                        + Runtime.getRuntime().availableProcessors() + " processors, Java "
                        + System.getProperty("java.version"),
                fileSystem,
                seed,
                number,
                victims.stream().map(Part::command).toList(),
                controls,
                victims.size(),
                canariesLost,
                consumerForces,
                ledger.attempts() - attempts,
                ledger.acks() - acked,
                ledger.ackedBytes() - ackedBytes,
                target.published() - published,
                exits,
                ready,
                settled,
                violations.lines());
    }

    /** At the end of a cut: nothing is awaited any more once something is violated. */
    private void checkControls(int number, int canaries, int canariesLost) {
        if (!controls.hold()) {
            violations.add("void", "the controls say that cuts on this machine mean nothing: " + controls);
        }
        if (canariesLost < canaries) {
            violations.add(
                    "void",
                    "cut " + number + " was none: of " + canaries + " files that nobody had forced " + canariesLost
                            + " were lost");
        }
    }

    /** Of each four cuts one is for each. */
    private List<Part> victims(int number, Random random) {
        List<List<Part>> turn = new ArrayList<>(VICTIMS);
        Collections.shuffle(turn, new Random(seed * 31 + (number - 1) / VICTIMS.size()));
        List<Part> victims = new ArrayList<>(turn.get((number - 1) % VICTIMS.size()));
        Collections.shuffle(victims, random);
        return victims;
    }

    /** Returns the exit codes of those nodes that ended by themselves when their disk was gone. */
    private Map<String, Integer> powerFails(int number, List<Part> victims, Random random)
            throws IOException, InterruptedException {
        for (Part part : victims) {
            Files.write(canary(part, number), canaryBytes());
        }
        if (victims.contains(Part.AGENT_B)) {
            target.powerMayFail();
        }
        boolean diskFirst = random.nextInt(4) > 0;
        boolean nodeSeesIt = diskFirst && random.nextInt(3) == 0;
        Map<String, Integer> exits = new LinkedHashMap<>();
        for (Part part : victims) {
            if (diskFirst) {
                cutUnder(part, nodeSeesIt);
            } else {
                chain.kill(part);
                disks.get(part).cut();
            }
        }
        if (diskFirst) {
            for (Part part : victims) {
                if (nodeSeesIt) {
                    failStop(part, exits);
                }
                chain.kill(part);
            }
        }
        if (victims.contains(Part.AGENT_B)) {
            target.powerFails();
        }
        return exits;
    }

    /**
     * The node stands still meanwhile, as under a real cut: XFS (Linux 6.18) lets a force that is under way when it is shut down succeed,
     * though nothing is written, and a node that saw that would promise what is lost.
     */
    private void cutUnder(Part part, boolean nodeSeesIt) throws IOException, InterruptedException {
        long pid = chain.node(part).pid();
        FrozenProcess node = nodeSeesIt ? FrozenProcess.betweenCalls(pid) : FrozenProcess.anywhere(pid);
        disks.get(part).cut();
        if (nodeSeesIt) {
            node.thaw();
        }
    }

    /** A node whose disk is gone may have nothing to write for a while; but if it ends, then in the way that is promised. */
    private void failStop(Part part, Map<String, Integer> exits) throws InterruptedException {
        NodeProcess node = chain.node(part);
        for (int i = 0; i < FAIL_STOP_MILLIS / 20 && node.isAlive(); i++) {
            TimeUnit.MILLISECONDS.sleep(20);
        }
        if (!node.isAlive()) {
            int code = node.awaitExit(Duration.ofSeconds(1));
            exits.put(part.command(), code);
            if (code != EXIT_STORAGE) {
                violations.add("exit", part.command() + " ended with " + code + " when its disk was gone");
            }
        }
    }

    private Path canary(Part part, int number) {
        return mountPoint(part).resolve("canary-" + number);
    }

    private static byte[] canaryBytes() {
        byte[] bytes = new byte[CANARY_BYTES];
        Arrays.fill(bytes, (byte) 1);
        return bytes;
    }

    /** Returns how many of the files that nobody forced are gone. */
    private int powerIsBack(int number, List<Part> victims) throws IOException, InterruptedException {
        int lost = 0;
        for (Part part : victims) {
            LoopDisk disk = disks.get(part);
            disk.detach();
            disk.attach();
            Path canary = canary(part, number);
            lost += Files.exists(canary) && Arrays.equals(Files.readAllBytes(canary), canaryBytes()) ? 0 : 1;
            Files.deleteIfExists(canary);
        }
        if (victims.contains(Part.AGENT_B)) {
            target.powerIsBack();
        }
        return lost;
    }

    private Map<String, Long> start(List<Part> victims) throws IOException {
        Map<String, Long> ready = new HashMap<>();
        for (Part part : victims) {
            long began = System.nanoTime();
            try {
                PatientStart.of(chain, part);
            } catch (IllegalStateException e) {
                violations.add("start", String.valueOf(e.getMessage()));
            }
            ready.put(part.command(), TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began));
        }
        return ready;
    }

    /** Until all that was promised is there, ms. */
    private long settle() throws InterruptedException {
        long began = System.nanoTime();
        work.pause();
        if (!await(() -> work.isIdle() && target.missing().isEmpty())) {
            List<String> missing = target.missing();
            missing.stream().limit(SHOWN).forEach(what -> violations.add("lost", "does not arrive: " + what));
            if (missing.isEmpty()) {
                violations.add("liveness", "the publishers are not told the end");
            }
        }
        for (Part part : Part.values()) {
            if (!chain.isRunning(part)) {
                violations.add("exit", part.command() + " has ended");
            }
        }
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
    }

    private boolean await(BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + 2 * TestTimes.LIMIT.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end || !violations.isEmpty()) {
                return false;
            }
            TimeUnit.MILLISECONDS.sleep(30);
        }
        return true;
    }

    @Override
    public void close() throws IOException {
        work.close();
        target.close();
        chain.close();
        closeDisks();
    }

    private void closeDisks() throws IOException {
        for (LoopDisk disk : disks.values()) {
            disk.close();
        }
    }
}
