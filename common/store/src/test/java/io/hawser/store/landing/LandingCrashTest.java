package io.hawser.store.landing;

import static io.hawser.store.landing.LandingRig.FRAGMENT_BYTES;
import static io.hawser.store.landing.LandingRig.bytes;
import static io.hawser.store.landing.LandingRig.file;
import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.hop.StoredTransfer;
import io.hawser.core.model.Attributes;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.RetryPolicy;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import io.hawser.store.runtime.CrashPoints;
import io.hawser.store.storage.DiskStorage;
import io.hawser.store.storage.FileTimeHistory;
import io.hawser.store.storage.OutOfSpaceException;
import io.hawser.store.storage.StorageException;
import io.hawser.store.testkit.CrashStorage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Lets the process die, and the power fail, at every named crash point and at every changing call to the disk, and has the
 * sender go on with the next life as a hop does. Each transfer must be published exactly once with its bytes: also when a
 * consumer takes each file away as soon as it is seen, and when two transfers share a name.
 */
final class LandingCrashTest {
    private static final Set<String> POINTS = Set.of(
            "landing.after-create",
            "landing.before-force",
            "landing.after-force",
            "landing.before-leaves-force",
            "landing.after-leaves-force",
            "landing.small-before-force",
            "landing.small-after-force",
            "landing.before-verified",
            "landing.after-verified",
            "landing.after-rename",
            "landing.after-operation",
            "landing.after-merge",
            "landing.after-merged",
            "landing.after-rename-before-force",
            "landing.before-delivered",
            "landing.after-delivered");
    private static final int MAX_LIVES = 4;
    private static final int OCCURRENCES = 2;

    /** Every how many calls to the disk the sweeps visit; {@code -Dhawser.sweep.stride=1} visits all. */
    private static final int STRIDE = Integer.getInteger("hawser.sweep.stride", 19);

    /** The build visits one of so many of these calls for each kind of error. */
    private static final int ERROR_STRIDES = 4;

    /** The same of the first calls of a life. */
    private static final int START_STRIDE = Math.min(STRIDE, 9);

    private static final int CALLS_OF_A_START = 60;

    /** A disk that has refused so many calls, and still does, is not asked for anything new. */
    private static final int MANY_FAILURES = 30;

    private static final long QUIET_NANOS = Duration.ofMillis(300).toNanos();

    /** Nothing can be waited for where the right thing is that nothing happens. */
    private static final Duration TIME_FOR_WHAT_IS_WRONG = Duration.ofMillis(300);

    private static final RetryPolicy OFTEN = RetryPolicy.forever(Duration.ofMillis(2), Duration.ofMillis(5));

    @TempDir
    Path scratch;

    private int runs;

    /** What is sent, in the order by path: the second "same" leaves when the first is committed. */
    private static final List<Object[]> TRANSFERS = List.of(
            new Object[] {file(1, "same", 3 * FRAGMENT_BYTES + 100), bytes(1, 3 * FRAGMENT_BYTES + 100)},
            new Object[] {file(2, "dir/small", 700), bytes(2, 700)},
            new Object[] {LandingRig.manifest(3, TransferKind.MAKE_DIRECTORY, "made", 0, Map.of()), new byte[0]},
            new Object[] {file(4, "dir/empty", 0), new byte[0]},
            new Object[] {file(5, "same", 900), bytes(5, 900)},
            new Object[] {file(6, "same", 2 * FRAGMENT_BYTES), bytes(6, 2 * FRAGMENT_BYTES)},
            new Object[] {file(7, "dir/large", FRAGMENT_BYTES + 77), bytes(7, FRAGMENT_BYTES + 77)});

    /** What follows where no consumer takes files away: operations, and later objects under names that these took away. */
    private static final List<Object[]> OPERATIONS = List.of(
            new Object[] {file(8, "x.tmp", 600), bytes(8, 600)},
            new Object[] {operation(9, TransferKind.RENAME, "x.tmp", "made/x"), new byte[0]},
            new Object[] {file(10, "x.tmp", 500), bytes(10, 500)},
            new Object[] {file(11, "gone", 400), bytes(11, 400)},
            new Object[] {operation(12, TransferKind.DELETE, "gone", ""), new byte[0]},
            new Object[] {file(13, "gone", 300), bytes(13, 300)},
            new Object[] {operation(14, TransferKind.RENAME, "dir", "made/dir"), new byte[0]},
            new Object[] {file(15, "dir/large", 200), bytes(15, 200)},
            new Object[] {operation(16, TransferKind.SET_TIME, "made/x", ""), new byte[0]},
            new Object[] {operation(17, TransferKind.SET_MODE, "made/x", ""), new byte[0]},
            new Object[] {LandingRig.manifest(18, TransferKind.MAKE_DIRECTORY, "no/more", 0, Map.of()), new byte[0]},
            new Object[] {operation(19, TransferKind.REMOVE_DIRECTORY, "no/more", ""), new byte[0]},
            new Object[] {file(20, "log", 500), bytes(20, 500)},
            new Object[] {patch(21, 500, 500, 300), bytes(21, 300)},
            new Object[] {patch(22, 800, 100, FRAGMENT_BYTES + 9), bytes(22, FRAGMENT_BYTES + 9)});

    /** Bytes for "log". */
    private static Manifest patch(long number, long baseSize, long offset, int size) {
        return LandingRig.manifest(
                number,
                TransferKind.PATCH,
                "log",
                size,
                Map.of(
                        Attributes.BASE_SIZE,
                        Long.toString(baseSize),
                        Attributes.OFFSET,
                        Long.toString(offset),
                        Attributes.MODE,
                        "640"));
    }

    private static Manifest operation(long number, TransferKind kind, String name, String target) {
        return new Manifest(
                LandingRig.key(number),
                number,
                new Topic("site-b"),
                kind,
                name,
                target.isEmpty() ? List.of(name) : List.of(name, target),
                0,
                FRAGMENT_BYTES,
                Map.of(
                        Attributes.RENAMED_TO,
                        target,
                        Attributes.MODIFIED_MILLIS,
                        "1234567890000",
                        Attributes.MODE,
                        "640"));
    }

    /** How a life ends. */
    private enum End {
        KILL,
        POWER_CUT
    }

    /** Everything that is the same over the lives of one run. */
    private final class Run {
        final Path root;
        final Path graveyard;
        final Path taken;
        final boolean consumerTakes;
        final List<Object[]> transfers = new ArrayList<>(TRANSFERS);
        final Set<TransferKey> done = new ConcurrentSkipListSet<>();
        final Map<TransferKey, Integer> published = new TreeMap<>();
        final AtomicInteger takes = new AtomicInteger();
        final Map<TransferKey, String> failedReceipts = new ConcurrentHashMap<>();
        /** What the landing area said is durable: it must say so again in every later life. */
        final Map<TransferKey, FragmentRanges> acked = new ConcurrentHashMap<>();

        final Set<TransferKey> committed = new ConcurrentSkipListSet<>();
        boolean mayLoseAcked;
        /** Ends a life in which nothing would happen any more. */
        BooleanSupplier isOver = () -> false;

        /** Of the lives so far that count. An answer that comes when a life is over belongs to that life. */
        Map<String, String> problems = new ConcurrentHashMap<>();

        Run(boolean consumerTakes) throws IOException {
            Path home = scratch.resolve("run" + runs++);
            this.root = Files.createDirectories(home.resolve("into"));
            this.graveyard = Files.createDirectories(home.resolve("graveyard"));
            this.taken = Files.createDirectories(home.resolve("taken"));
            this.consumerTakes = consumerTakes;
            if (!consumerTakes) {
                transfers.addAll(OPERATIONS);
            }
        }

        /** Takes away every file that can be seen. */
        /** Called by several threads, while files are renamed on others: what is not there any more is not taken. */
        synchronized void takeAway() {
            if (!consumerTakes) {
                return;
            }
            try {
                for (Path path : visible()) {
                    take(path);
                }
            } catch (UncheckedIOException e) { // of the walk
                if (!(e.getCause() instanceof NoSuchFileException)) {
                    throw e;
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private void take(Path path) throws IOException {
            try {
                Files.move(path, taken.resolve("t" + takes.incrementAndGet()));
            } catch (NoSuchFileException e) {
                takes.decrementAndGet();
            }
        }

        List<Path> visible() throws IOException {
            try (var paths = Files.walk(root)) {
                return paths.filter(Files::isRegularFile)
                        .filter(path -> !root.relativize(path).toString().startsWith(".hawser-landing"))
                        .toList();
            }
        }

        void count(CrashStorage storage) {
            for (String rename : storage.renames()) {
                if (rename.contains(".part -> ") || rename.contains(".merged -> ")) {
                    TransferKey key = TransferKey.parse(rename.substring(0, rename.indexOf('.')));
                    published.merge(key, 1, Integer::sum);
                }
            }
        }
    }

    @Test
    void everyCrashPointIsVisited() throws IOException {
        Set<String> reached = new ConcurrentSkipListSet<>();
        Run run = new Run(false);
        CrashStorage storage = new CrashStorage(new DiskStorage(), run.graveyard);

        live(run, storage, reached::add);

        assertThat(reached).containsAll(POINTS);
        assertThat(new TreeSet<>(reached).tailSet("landing.").headSet("landing/"))
                .isEqualTo(new TreeSet<>(POINTS));
    }

    @Test
    void aKillAtAnyCrashPointPublishesEachTransferOnce() throws IOException {
        for (String point : new TreeSet<>(POINTS)) {
            for (int occurrence = 1; occurrence <= OCCURRENCES; occurrence++) {
                crashAt(point, occurrence, End.KILL, false);
            }
        }
    }

    @Test
    void aPowerCutAtAnyCrashPointPublishesEachTransferOnce() throws IOException {
        for (String point : new TreeSet<>(POINTS)) {
            for (int occurrence = 1; occurrence <= OCCURRENCES; occurrence++) {
                crashAt(point, occurrence, End.POWER_CUT, false);
            }
        }
    }

    @Test
    void aFileThatAConsumerTookIsNotPublishedAgain() throws IOException {
        for (String point : new TreeSet<>(POINTS)) {
            crashAt(point, 1, End.KILL, true);
            crashAt(point, 2, End.KILL, true);
        }
    }

    /**
     * What follows an operation on the same name waits until the operation is written down: a start that does not know of its end does
     * it again, and would hit the later object.
     */
    @ParameterizedTest
    @CsvSource({"x.tmp -> x, 10", "dir -> dir, 15"})
    void anOperationWhoseEndIsNotWrittenDownDoesNotHitALaterObject(String operation, long follower) throws IOException {
        Run run = new Run(false);
        CrashStorage storage = new CrashStorage(new DiskStorage(), run.graveyard);
        TransferKey later = LandingRig.key(follower);
        CompletableFuture<Boolean> wasDone = new CompletableFuture<>();
        CompletableFuture<Boolean> laterIsDurable = new CompletableFuture<>();
        live(run, storage, reached -> {
            if (reached.equals("landing.after-operation") && storage.renames().contains(operation)) {
                waitFor(() -> run.committed.contains(later) || storage.isDead());
                wasDone.complete(true);
            } else if (reached.equals("landing.before-delivered")
                    && storage.renames().stream().anyMatch(rename -> rename.startsWith(later + "."))) {
                laterIsDurable.complete(true);
            } else if (reached.equals("log.before-force") && wasDone.isDone()) {
                laterIsDurable.completeOnTimeout(false, TIME_FOR_WHAT_IS_WRONG.toMillis(), TimeUnit.MILLISECONDS);
                laterIsDurable.join();
                storage.kill();
            }
            if (storage.isDead()) {
                throw new IllegalStateException("the process is dead");
            }
        });
        assertThat(wasDone).isDone();
        endLife(run, storage, End.POWER_CUT);
        finish(run, operation + " before " + follower);
    }

    @Test
    void aKillAtAnyCallToTheDiskPublishesEachTransferOnce() throws IOException {
        sweep(End.KILL);
    }

    @Test
    void aPowerCutAtAnyCallToTheDiskPublishesEachTransferOnce() throws IOException {
        sweep(End.POWER_CUT);
    }

    /** How a disk fails. */
    private enum Failure {
        EIO,
        ENOSPC,
        /** Half of a write is written, then EIO. */
        SHORT,
        /** EIO at a call that only looks: a read, the opening of what is there, a listing. */
        LOOK;

        void arm(CrashStorage storage, Function<String, @Nullable StorageException> failing) {
            if (this == LOOK) {
                storage.failLooks(failing);
            } else {
                storage.failCalls(failing);
            }
        }
    }

    /** Each with each in a run that visits all calls; the build visits others of them for each. */
    @ParameterizedTest
    @CsvSource({
        "LOOK, false, KILL",
        "LOOK, true, POWER_CUT",
        "EIO, false, KILL",
        "ENOSPC, false, KILL",
        "SHORT, false, KILL",
        "EIO, true, KILL",
        "ENOSPC, true, KILL",
        "SHORT, true, KILL",
        "EIO, false, POWER_CUT",
        "ENOSPC, false, POWER_CUT",
        "SHORT, false, POWER_CUT",
        "EIO, true, POWER_CUT",
        "ENOSPC, true, POWER_CUT",
        "SHORT, true, POWER_CUT"
    })
    void anErrorAtAnyCallToTheDiskLosesNothingAndPublishesEachTransferOnce(Failure failure, boolean sticky, End end)
            throws IOException {
        int stride = STRIDE == 1 ? 1 : STRIDE * ERROR_STRIDES;
        int n = 1 + Math.floorMod((failure + " " + sticky + " " + end).hashCode(), stride);
        while (failAt(n, failure, sticky, end, 0) >= n) {
            n += stride;
        }
        assertThat(n).as("calls to the disk that failed").isGreaterThan(50);
    }

    /** The same in a life that begins with what a killed one has left. */
    @ParameterizedTest
    @CsvSource({
        "LOOK, false, KILL",
        "LOOK, true, KILL",
        "EIO, false, POWER_CUT",
        "EIO, true, KILL",
        "ENOSPC, true, POWER_CUT",
        "SHORT, false, KILL"
    })
    void anErrorAtAnyCallOfAStartLosesNothingAndPublishesEachTransferOnce(Failure failure, boolean sticky, End end)
            throws IOException {
        int first = Math.floorMod((failure + " " + sticky).hashCode(), START_STRIDE);
        for (int killedAt : new int[] {90, 170}) {
            for (int n = 1 + first; n <= CALLS_OF_A_START; n += START_STRIDE) {
                assertThat(failAt(n, failure, sticky, end, killedAt))
                        .as("calls of the second life")
                        .isGreaterThanOrEqualTo(n);
            }
        }
    }

    /** Returns how many calls there were, since the kill if there was one. */
    private long failAt(int n, Failure failure, boolean sticky, End end, int killedAt) throws IOException {
        String what = failure + (sticky ? " from call " : " at call ") + n + ", " + end + ", killed at " + killedAt;
        Run run = new Run(false);
        if (killedAt > 0) {
            CrashStorage before = new CrashStorage(new DiskStorage(), run.graveyard);
            before.killAtCall(killedAt);
            live(run, before, CrashPoints.NONE);
            assertThat(before.isDead()).as(what).isTrue();
            endLife(run, before, end);
        }
        CrashStorage storage = new CrashStorage(new DiskStorage(), run.graveyard);
        AtomicLong calls = new AtomicLong();
        AtomicLong failed = new AtomicLong();
        failure.arm(storage, call -> {
            long number = calls.incrementAndGet();
            if (number != n && (number < n || !sticky)) {
                return null;
            }
            failed.incrementAndGet();
            return failure(failure);
        });
        run.mayLoseAcked = true; // a landing file that failed is given up
        AtomicLong firstFailure = new AtomicLong();
        run.isOver = () -> sticky && isDoneWith(failed.get(), firstFailure);
        try {
            live(run, storage, CrashPoints.NONE);
        } catch (IOException e) {
            assertThat(e).as(what).hasMessageContaining("injected");
        }
        assertThat(run.problems.values())
                .as("refusals, " + what)
                .allMatch(refusal -> refusal.contains("STORAGE_FAILED") || refusal.contains("NO_SPACE"));
        run.problems = new ConcurrentHashMap<>(); // that is what a failing disk may answer
        run.isOver = () -> false;
        long made = calls.get();
        endLife(run, storage, end);
        finish(run, what);
        return made;
    }

    /** A life may end at any moment; this one does when the disk has shown what it does, or nobody asks it any more. */
    private static boolean isDoneWith(long failed, AtomicLong firstFailureNanos) {
        if (failed > 0) {
            firstFailureNanos.compareAndSet(0, System.nanoTime());
        }
        return failed >= MANY_FAILURES || (failed > 0 && System.nanoTime() - firstFailureNanos.get() > QUIET_NANOS);
    }

    private static StorageException failure(Failure failure) {
        return switch (failure) {
            case EIO, LOOK -> new StorageException("injected I/O error");
            case ENOSPC -> new OutOfSpaceException("injected: No space left on device");
            case SHORT -> new CrashStorage.ShortWriteException("injected I/O error behind half of the bytes");
        };
    }

    private void sweep(End end) throws IOException {
        long calls = 1;
        boolean died = true;
        for (int n = 1; died; n += STRIDE) {
            Run run = new Run(n / STRIDE % 2 == 1);
            CrashStorage storage = new CrashStorage(new DiskStorage(), run.graveyard);
            storage.killAtCall(n);
            live(run, storage, point -> takeWhenDurable(run, point));
            died = storage.isDead();
            calls = n;
            endLife(run, storage, end);
            finish(run, "call " + n + ", " + end);
        }
        assertThat(calls).as("calls to the disk that were killed at").isGreaterThan(50);
    }

    /** A consumer of a machine that lost power saw only what was durable. */
    private static void takeWhenDurable(Run run, String point) {
        if (point.equals("landing.before-delivered") || point.equals("landing.after-delivered")) {
            run.takeAway();
        }
    }

    private void crashAt(String point, int occurrence, End end, boolean consumerTakes) throws IOException {
        Run run = new Run(consumerTakes);
        CrashStorage storage = new CrashStorage(new DiskStorage(), run.graveyard);
        AtomicInteger count = new AtomicInteger();
        live(run, storage, reached -> {
            if (reached.equals("landing.after-rename") || reached.equals("landing.before-delivered")) {
                run.takeAway();
            }
            if (reached.equals(point) && count.incrementAndGet() == occurrence) {
                storage.kill();
            }
            if (storage.isDead()) {
                throw new IllegalStateException("the process is dead");
            }
        });
        endLife(run, storage, end);
        finish(run, point + " the " + occurrence + ". time, " + end);
    }

    private static void endLife(Run run, CrashStorage storage, End end) {
        storage.kill();
        if (end == End.POWER_CUT) {
            storage.losePower();
        }
        run.count(storage);
    }

    /** Further lives without faults, until all is delivered; then looks at what there is. */
    private static void finish(Run run, String what) throws IOException {
        for (int life = 0; life < MAX_LIVES && run.done.size() < run.transfers.size(); life++) {
            CrashStorage storage = new CrashStorage(new DiskStorage(), run.graveyard);
            live(run, storage, point -> takeWhenDurable(run, point));
            endLife(run, storage, End.KILL);
        }
        run.takeAway();

        assertThat(run.problems).as(what).isEmpty();
        assertThat(run.failedReceipts).as(what).isEmpty();
        assertThat(run.done).as("delivered, " + what).hasSize(run.transfers.size());
        assertThat(run.root.resolve("made")).as(what).isDirectory();
        for (Object[] transfer : run.transfers) {
            Manifest manifest = (Manifest) transfer[0];
            int expected = manifest.kind().hasBytes() ? 1 : 0;
            assertThat(run.published.getOrDefault(manifest.key(), 0))
                    .as("publications of " + manifest.number() + ", " + what)
                    .isEqualTo(expected);
        }
        if (!run.consumerTakes) {
            assertThat(run.root.resolve("same")).as(what).hasBinaryContent(bytes(6, 2 * FRAGMENT_BYTES));
            checkOperations(run.root, what);
        }
        for (Path seen : content(run)) {
            assertThat(isSent(run, Files.readAllBytes(seen)))
                    .as(seen + ", " + what)
                    .isTrue();
        }
        LandingRig.into(new DiskStorage(), run.root).close(); // a start sweeps what belongs to nobody
        assertThat(run.root.resolve(".hawser-landing-sub/files")).as(what).isEmptyDirectory();
    }

    /** Each was done once: a second time it would have hit a later object of the same name. */
    private static void checkOperations(Path root, String what) throws IOException {
        Path made = root.resolve("made");
        assertThat(made.resolve("dir/small")).as(what).hasBinaryContent(bytes(2, 700));
        assertThat(made.resolve("dir/empty")).as(what).isEmptyFile();
        assertThat(made.resolve("dir/large")).as(what).hasBinaryContent(bytes(7, FRAGMENT_BYTES + 77));
        assertThat(made.resolve("x")).as(what).hasBinaryContent(bytes(8, 600));
        assertThat(Files.getLastModifiedTime(made.resolve("x")).toMillis())
                .as(what)
                .isEqualTo(1_234_567_890_000L);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(made.resolve("x"))))
                .as(what)
                .isEqualTo("rw-r-----");
        assertThat(root.resolve("x.tmp")).as(what).hasBinaryContent(bytes(10, 500));
        assertThat(root.resolve("gone")).as(what).hasBinaryContent(bytes(13, 300));
        assertThat(root.resolve("dir/large")).as(what).hasBinaryContent(bytes(15, 200));
        assertThat(root.resolve("dir/small")).as(what).doesNotExist();
        assertThat(root.resolve("no")).as(what).isEmptyDirectory();
        byte[] log = Arrays.copyOf(bytes(20, 500), 100 + FRAGMENT_BYTES + 9);
        System.arraycopy(bytes(22, FRAGMENT_BYTES + 9), 0, log, 100, FRAGMENT_BYTES + 9);
        assertThat(root.resolve("log")).as(what).hasBinaryContent(log);
    }

    private static Collection<Path> content(Run run) throws IOException {
        List<Path> all = new ArrayList<>(run.visible());
        all.remove(run.root.resolve("log")); // made of three transfers
        try (var taken = Files.list(run.taken)) {
            all.addAll(taken.toList());
        }
        return all;
    }

    private static boolean isSent(Run run, byte[] content) {
        return run.transfers.stream().anyMatch(transfer -> Arrays.equals((byte[]) transfer[1], content));
    }

    /** One life: the sender offers whatever has no receipt, until all have one or the process is dead. */
    private static void live(Run run, CrashStorage storage, CrashPoints points) throws IOException {
        LandingRig rig;
        try {
            rig = new LandingRig(
                    storage,
                    LandingOptions.below(run.root, "sub").withRetry(OFTEN),
                    new DirectoryTarget(storage, run.root, new FileTimeHistory(), points),
                    points);
        } catch (IOException | RuntimeException e) {
            if (storage.isDead()) {
                return;
            }
            throw e;
        }
        try {
            rig.onLoop(() -> rig.area.pendingReceipts()).forEach(receipt -> run.done.add(receipt.key()));
            CompletableFuture<?> previous = CompletableFuture.completedFuture("");
            for (Object[] transfer : run.transfers) {
                Manifest manifest = (Manifest) transfer[0];
                previous = previous.thenCompose(unused -> offer(run, storage, rig, manifest, (byte[]) transfer[1]));
            }
            waitFor(() -> storage.isDead()
                    || rig.area.failure() != null
                    || !run.problems.isEmpty()
                    || run.isOver.getAsBoolean()
                    || allEnded(run, rig));
        } finally {
            rig.stopLoop();
            rig.close();
            rig.receipts.forEach(receipt -> {
                run.done.add(receipt.key());
                if (receipt.status() != ReceiptStatus.DELIVERED) {
                    run.failedReceipts.put(receipt.key(), receipt.reason());
                }
            });
        }
    }

    private static boolean allEnded(Run run, LandingRig rig) {
        Set<TransferKey> ended = new TreeSet<>(run.done);
        List.copyOf(rig.receipts).forEach(receipt -> ended.add(receipt.key()));
        return ended.size() == run.transfers.size();
    }

    private static CompletableFuture<?> offer(
            Run run, CrashStorage storage, LandingRig rig, Manifest manifest, byte[] content) {
        TransferKey key = manifest.key();
        Map<String, String> problems = run.problems;
        if (!problems.isEmpty()) {
            return CompletableFuture.completedFuture(""); // a hop lets nothing overtake what was refused for now
        }
        return rig.lookup(key).thenCompose(stored -> {
            if (stored.isRefused()) {
                return CompletableFuture.completedFuture(stored);
            }
            checkKept(run, key, stored.get());
            if (stored.get().state() == StoredTransfer.State.COMMITTED) {
                return CompletableFuture.completedFuture(stored);
            }
            boolean small = content.length <= FRAGMENT_BYTES;
            Consumer<Long> acked = index -> run.acked
                    .computeIfAbsent(key, unused -> new FragmentRanges())
                    .add(index);
            return (small ? rig.small(manifest, content) : rig.send(manifest, content, acked)).thenApply(answer -> {
                if (!answer.isRefused()) {
                    run.committed.add(key);
                } else if (!storage.isDead()) {
                    problems.put(key.toString(), String.valueOf(answer.refusal()));
                }
                return answer;
            });
        });
    }

    /** Durable-ack: whatever was acked in an earlier life is there. */
    private static void checkKept(Run run, TransferKey key, StoredTransfer stored) {
        FragmentRanges acked = run.acked.getOrDefault(key, new FragmentRanges());
        boolean isCommitted = stored.state() == StoredTransfer.State.COMMITTED;
        boolean lost = run.committed.contains(key)
                ? !isCommitted
                : !isCommitted
                        && acked.runs().stream()
                                .anyMatch(range -> !stored.durable().containsAll(range.start(), range.end()));
        if (lost && !(run.mayLoseAcked && !run.committed.contains(key))) {
            run.failedReceipts.put(key, "acked " + acked + " and lost: " + stored);
        }
    }

    private static void waitFor(BooleanSupplier condition) {
        org.awaitility.Awaitility.await()
                .dontCatchUncaughtExceptions()
                .pollInterval(Duration.ofMillis(1))
                .until(condition::getAsBoolean);
    }
}
