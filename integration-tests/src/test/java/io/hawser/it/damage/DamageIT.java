package io.hawser.it.damage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.hawser.core.testkit.Damage;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.core.testkit.ReservedPort;
import io.hawser.it.damage.Nodes.Part;
import io.hawser.it.harness.Curl;
import io.hawser.ops.testkit.Fsck;
import io.hawser.ptcp.testkit.TestTimes;
import io.hawser.release.process.SampleFile;
import io.hawser.store.storage.DirectoryGoneException;
import io.hawser.store.storage.StorageException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;

/**
 * Every kind of file that a node keeps, damaged in every way while the nodes are down, and while the node that keeps it is up: the
 * right bytes arrive in the end, or the node refuses to start and says what to do, or it says what is damaged. Never other bytes,
 * never silence; and {@code hawser fsck} finds what the nodes find.
 *
 * <p>One set of directories is prepared, with a file half way at agent-b, others at the broker and others in agent-a's spool, and copied
 * for each case. The nodes run in this process.
 */
@Invariant({InvariantName.VERIFIED_THIS_RUN, InvariantName.REFUSE_DONT_CORRUPT, InvariantName.NO_SILENT_STOP})
class DamageIT {
    /** How long nothing may change before it counts as the end, once damage was said. */
    private static final Duration QUIET = Duration.ofSeconds(4);

    /** Behind the header of a segment. */
    private static final long IN_FIRST_RECORD = 4096 + 200;

    private static final Pattern SAID = Pattern.compile(
            "(?is).*(damage|gone|missing|lost|cannot be read|not as|does not agree|corrupt|belongs to|has failed|was cut).*");

    /** Name and size of what is sent, in this order. */
    private static final Map<String, Integer> FILES = new LinkedHashMap<>();

    static {
        FILES.put("done", 1_000);
        FILES.put("half", 6 << 20);
        FILES.put("at-broker", 700_000);
        FILES.put("small-at-broker", 900);
        FILES.put("spooled", 800_000);
        FILES.put("also-spooled", 600_000);
        FILES.put("small-spooled", 800);
    }

    @TempDir
    @SuppressWarnings("NullAway.Init") // JUnit sets it
    static Path scratch;

    private static final Map<KindOfFile, List<String>> KEPT = new EnumMap<>(KindOfFile.class);

    private final List<String> said = new CopyOnWriteArrayList<>();
    private final AppenderBase<ILoggingEvent> listener = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            if (event.getLevel().isGreaterOrEqual(Level.WARN)) {
                said.add(event.getFormattedMessage() + " " + event.getKeyValuePairs());
            }
        }
    };

    private static Path prepared() {
        return scratch.resolve("prepared");
    }

    private static Path older() {
        return scratch.resolve("older");
    }

    private static Path source(String name) {
        return scratch.resolve("sources").resolve(name);
    }

    @BeforeAll
    static void prepare() throws Exception {
        Files.createDirectories(scratch.resolve("sources"));
        int seed = 0;
        for (Map.Entry<String, Integer> file : FILES.entrySet()) {
            SampleFile.write(source(file.getKey()), file.getValue(), ++seed);
        }
        try (Nodes nodes = new Nodes(prepared())) {
            nodes.start(Part.BROKER);
            nodes.start(Part.AGENT_B, Nodes.rate(1_500_000));
            nodes.start(Part.AGENT_A);
            upload(nodes, "done");
            Path done = prepared().resolve("into/done");
            Awaitility.await().until(() -> Files.exists(done));
        }
        copy(prepared(), older());
        try (Nodes nodes = new Nodes(prepared())) {
            nodes.start(Part.BROKER);
            nodes.start(Part.AGENT_B, Nodes.rate(1_500_000));
            nodes.start(Part.AGENT_A);
            upload(nodes, "half");
            Awaitility.await().until(() -> leavesBytes() > 64 * 6);
            nodes.stop(Part.AGENT_B);
            upload(nodes, "at-broker");
            upload(nodes, "small-at-broker");
            Awaitility.await()
                    .until(() -> nodes.page(Part.AGENT_A, "/metrics").contains("hawser_hop_unfinished_transfers 0.0"));
            nodes.stop(Part.BROKER);
            upload(nodes, "spooled");
            upload(nodes, "also-spooled");
            upload(nodes, "small-spooled");
        }
        for (String path : files(prepared())) {
            KindOfFile kind = KindOfFile.of(path).orElseThrow(() -> new AssertionError("no kind of file: " + path));
            KEPT.computeIfAbsent(kind, unused -> new ArrayList<>()).add(path);
        }
    }

    private static long leavesBytes() throws IOException {
        Path landing = prepared().resolve("into/.hawser-landing-b/files");
        try (Stream<Path> all = Files.list(landing)) {
            Optional<Path> leaves =
                    all.filter(path -> path.toString().endsWith(".leaves")).findFirst();
            return leaves.isPresent() ? Files.size(leaves.get()) : 0;
        }
    }

    private static void upload(Nodes nodes, String name) throws Exception {
        try (Curl curl = Curl.upload(nodes.ftp(), source(name), name)) {
            assertThat(curl.await(TestTimes.LIMIT)).as(curl::toString).isZero();
        }
    }

    private static void copy(Path from, Path to) throws Exception {
        Process cp = new ProcessBuilder("cp", "-a", "--sparse=always", from.toString(), to.toString())
                .inheritIO()
                .start();
        assertThat(cp.waitFor()).isZero();
    }

    private static List<String> files(Path root) throws IOException {
        try (Stream<Path> all = Files.walk(root)) {
            return all.filter(Files::isRegularFile)
                    .map(path -> root.relativize(path).toString())
                    .sorted()
                    .toList();
        }
    }

    @BeforeEach
    void listen() {
        listener.start();
        Logger hawser = (Logger) LoggerFactory.getLogger("io.hawser");
        hawser.setLevel(Level.WARN);
        hawser.addAppender(listener);
    }

    @AfterEach
    void listenNoMore() {
        Logger hawser = (Logger) LoggerFactory.getLogger("io.hawser");
        hawser.detachAppender(listener);
        hawser.setLevel(null);
    }

    @AfterAll
    static void forget() {
        KEPT.clear();
    }

    @Test
    void whatIsNotDamagedArrivesAndFsckFindsNothing() throws Exception {
        Path root = scratch.resolve("healthy");
        copy(prepared(), root);
        for (String directory : List.of("broker", "agent-a", "agent-b", "into")) {
            Fsck healthy = Fsck.of(root.resolve(directory));
            assertThat(healthy.code()).as(healthy.out() + healthy.err()).isZero();
        }
        assertThat(KEPT.keySet())
                .as("kinds of files")
                .contains(
                        KindOfFile.BROKER_LOG_SEGMENT,
                        KindOfFile.BROKER_INDEX,
                        KindOfFile.BROKER_EVENTS_SEGMENT,
                        KindOfFile.BROKER_EVENTS_INDEX,
                        KindOfFile.SPOOL_EVENTS_SEGMENT,
                        KindOfFile.AGENT_B_EVENTS_SEGMENT,
                        KindOfFile.SPOOL_CONTENT,
                        KindOfFile.SPOOL_LEAVES,
                        KindOfFile.LANDING_FILE,
                        KindOfFile.LANDING_LEAVES);

        End end = run(root);

        assertThat(end.refusal).isNull();
        assertThat(end.missing).isEmpty();
        assertThat(said.stream().filter(line -> SAID.matcher(line).matches())).isEmpty();
    }

    private static final Set<Damage> COMMON = EnumSet.of(Damage.FLIP, Damage.DELETE);

    static Stream<Arguments> commonCases() {
        return cases(COMMON);
    }

    static Stream<Arguments> otherCases() {
        return cases(EnumSet.complementOf(EnumSet.copyOf(COMMON)));
    }

    private static Stream<Arguments> cases(Set<Damage> damages) {
        return Stream.of(KindOfFile.values()).filter(KindOfFile::holdsSomething).flatMap(kind -> damages.stream()
                .map(damage -> Arguments.of(kind, damage)));
    }

    @ParameterizedTest
    @MethodSource("commonCases")
    void whatIsDamagedIsRightInTheEndOrIsSaid(KindOfFile kind, Damage damage) throws Exception {
        check(kind, damage);
    }

    @ParameterizedTest
    @MethodSource("otherCases")
    @Tag("full")
    void whatIsDamagedOtherwiseIsRightInTheEndOrIsSaid(KindOfFile kind, Damage damage) throws Exception {
        check(kind, damage);
    }

    private static final Set<KindOfFile> CONTENT =
            EnumSet.of(KindOfFile.BROKER_LOG_SEGMENT, KindOfFile.SPOOL_CONTENT, KindOfFile.LANDING_FILE);

    static Stream<Arguments> casesOfContentWhileUp() {
        return cases(COMMON).filter(DamageIT::isOfContent);
    }

    static Stream<Arguments> otherCasesWhileUp() {
        return Stream.concat(commonCases(), otherCases())
                .filter(arguments -> !isOfContent(arguments)
                        || !COMMON.contains((Damage) arguments.get()[1]));
    }

    private static boolean isOfContent(Arguments arguments) {
        return CONTENT.contains((KindOfFile) arguments.get()[0]);
    }

    @ParameterizedTest
    @MethodSource("casesOfContentWhileUp")
    void contentThatIsDamagedWhileItsNodeIsUpIsRightInTheEndOrIsSaid(KindOfFile kind, Damage damage) throws Exception {
        checkWhileUp(kind, damage);
    }

    @ParameterizedTest
    @MethodSource("otherCasesWhileUp")
    @Tag("full")
    void whatIsDamagedWhileItsNodeIsUpIsRightInTheEndOrIsSaid(KindOfFile kind, Damage damage) throws Exception {
        checkWhileUp(kind, damage);
    }

    /** The node that keeps the file is alone while it is damaged; then the others start. What has not arrived then must after a restart. */
    private void checkWhileUp(KindOfFile kind, Damage damage) throws Exception {
        Path root = copyFor(kind, damage, "up");
        said.clear();
        String victim;
        End end;
        try (ReservedPort port = ReservedPort.take()) {
            try (Nodes nodes = new Nodes(root, port.number())) {
                nodes.start(kind.part());
                victim = damage(root, kind, damage);
                for (Part part : Part.values()) {
                    nodes.startIfDown(part);
                }
                end = awaitEnd(root);
            } catch (StorageException e) {
                throw new AssertionError("a node that shares nothing with the damaged one refuses to start", e);
            }
        }
        judge(root, end, kind + " " + damage + " of " + victim + " while up", Optional.empty());
        judgeEvents(kind, end);
        List<String> saidWhileUp = List.copyOf(said);
        Fsck found = Fsck.of(root.resolve(kind.directory()));

        End afterRestart = run(root);

        said.addAll(saidWhileUp);
        judge(root, afterRestart, kind + " " + damage + " of " + victim + " while up, restarted", Optional.of(found));
        judgeEventSegment(kind, damage, afterRestart, found);
    }

    private void check(KindOfFile kind, Damage damage) throws Exception {
        Path root = copyFor(kind, damage, "down");
        String victim = damage(root, kind, damage);
        Fsck found = Fsck.of(root.resolve(kind.directory()));

        End end = run(root);

        judge(root, end, kind + " " + damage + " of " + victim, Optional.of(found));
        judgeEvents(kind, end);
        judgeEventSegment(kind, damage, end, found);
    }

    /** A node that starts without events lacks no transfer. */
    private static void judgeEvents(KindOfFile kind, End end) {
        if (kind.isOfEvents() && end.refusal == null) {
            assertThat(end.missing).isEmpty();
        }
    }

    /** What is damaged in a segment of events is told by fsck and by the start, with what it costs. */
    private void judgeEventSegment(KindOfFile kind, Damage damage, End end, Fsck found) {
        if (!kind.isEventSegment() || damage == Damage.OLDER) { // the older one is the same
            return;
        }
        assertThat(found.code()).as(found.out()).isEqualTo(1);
        assertThat(found.out()).contains("DAMAGE events.", "No transfer depends on it");
        if (end.refusal != null) {
            assertThat(end.refusal).hasMessageContaining("no transfer depends on it");
        } else {
            assertThat(said).anyMatch(line -> SAID.matcher(line).matches());
        }
    }

    private static Path copyFor(KindOfFile kind, Damage damage, String when) throws Exception {
        assumeTrue(KEPT.containsKey(kind), () -> "no such file is kept: " + kind);
        Path root = scratch.resolve(kind + "-" + damage + "-" + when);
        copy(prepared(), root);
        return root;
    }

    /** Damages the newest file of its kind, or the first that has an older copy; gives its path below the root. */
    private static String damage(Path root, KindOfFile kind, Damage damage) throws Exception {
        List<String> paths = KEPT.getOrDefault(kind, List.of()).stream()
                .filter(path -> Files.exists(root.resolve(path)))
                .toList();
        assumeTrue(!paths.isEmpty(), "the node has used it up");
        String victim = damage == Damage.OLDER
                ? paths.stream()
                        .filter(path -> Files.exists(older().resolve(path)))
                        .findFirst()
                        .orElse(paths.get(0))
                : paths.get(paths.size() - 1); // the newest
        Path other = paths.size() > 1 ? root.resolve(paths.get(0)) : counterpart(root, kind);
        Path old = older().resolve(victim);
        if (damage == Damage.SWAP) {
            Files.copy(other, root.resolve(victim), java.nio.file.StandardCopyOption.REPLACE_EXISTING);
        } else {
            assumeTrue(damage != Damage.OLDER || Files.exists(old), () -> "there is no older copy of " + victim);
            apply(damage, kind, root.resolve(victim), other, old);
        }
        return victim;
    }

    /** A segment of events is mostly empty: what is done to its middle would hit nothing. */
    private static void apply(Damage damage, KindOfFile kind, Path victim, Path other, Path old) throws IOException {
        if (kind.isEventSegment() && damage == Damage.FLIP) {
            Damage.flip(victim, IN_FIRST_RECORD);
        } else if (kind.isEventSegment() && damage == Damage.TRUNCATE) {
            Damage.truncate(victim, IN_FIRST_RECORD);
        } else {
            damage.apply(victim, other, old);
        }
    }

    private void judge(Path root, End end, String what, Optional<Fsck> found) {
        String tell = what + "\nfsck "
                + found.map(fsck -> fsck.code() + ": " + fsck.out() + fsck.err())
                        .orElse("not asked") + "\nend: " + end + "\nsaid: " + said;
        if (end.refusal != null) {
            assertThat(end.refusal).as(tell).isInstanceOf(IOException.class);
            assertThat(String.valueOf(end.refusal.getMessage())).as(tell).contains(root.toString());
        } else if (!end.missing.isEmpty()) {
            assertThat(said.stream().anyMatch(line -> SAID.matcher(line).matches()))
                    .as(tell)
                    .isTrue();
        } else {
            return;
        }
        boolean isOfTwoDirectories = end.refusal instanceof DirectoryGoneException; // fsck looks at one of them
        assertThat(found.isEmpty() || found.get().code() == 1 || isOfTwoDirectories)
                .as(tell)
                .isTrue();
    }

    /** A file of the same kind of another node. */
    private static Path counterpart(Path root, KindOfFile kind) {
        String name = kind.name();
        KindOfFile other =
                switch (kind) {
                    case BROKER_LOG_SEGMENT -> KindOfFile.SPOOL_JOURNAL_SEGMENT;
                    case SPOOL_JOURNAL_SEGMENT -> KindOfFile.LANDING_JOURNAL_SEGMENT;
                    case LANDING_JOURNAL_SEGMENT -> KindOfFile.SPOOL_JOURNAL_SEGMENT;
                    case BROKER_LOG_LIST, BROKER_EVENTS_LIST, LANDING_JOURNAL_LIST -> KindOfFile.SPOOL_JOURNAL_LIST;
                    case SPOOL_JOURNAL_LIST -> KindOfFile.BROKER_LOG_LIST;
                    case BROKER_SPARE -> KindOfFile.SPOOL_JOURNAL_SPARE;
                    case LANDING_FILE -> KindOfFile.SPOOL_CONTENT;
                    case LANDING_LEAVES -> KindOfFile.SPOOL_LEAVES;
                    case BROKER_INDEX -> KindOfFile.BROKER_LOG_SEGMENT;
                    case AGENT_B_TARGET -> KindOfFile.LANDING_AGENT_ID;
                    case LANDING_AGENT_ID -> KindOfFile.AGENT_B_TARGET;
                    default ->
                        name.endsWith("_EPOCH")
                                ? (name.startsWith("BROKER") ? KindOfFile.SPOOL_EPOCH : KindOfFile.BROKER_EPOCH)
                                : name.startsWith("BROKER") ? KindOfFile.SPOOL_NODE_ID : KindOfFile.BROKER_NODE_ID;
                };
        List<String> others = KEPT.get(other);
        boolean isOfSameObject = kind == KindOfFile.LANDING_FILE; // the first: the spool still has what is half way
        return root.resolve(others.get(isOfSameObject ? others.size() - 1 : 0));
    }

    /** How a case ended. */
    private record End(@Nullable Exception refusal, List<String> missing) {}

    /** Starts the nodes and waits for the end. No file may ever be there with other bytes. */
    private End run(Path root) throws Exception {
        said.clear();
        try (Nodes nodes = new Nodes(root)) {
            try {
                for (Part part : Part.values()) {
                    nodes.start(part);
                }
            } catch (StorageException e) {
                return new End(e, missing(root));
            }
            return awaitEnd(root);
        }
    }

    /** Until everything is there, or nothing has changed for a while since damage was said. */
    private End awaitEnd(Path root) throws Exception {
        long quietSince = System.nanoTime();
        long limit = System.nanoTime() + TestTimes.LIMIT.toNanos();
        List<String> missing = missing(root);
        while (!missing.isEmpty() && System.nanoTime() < limit) {
            Thread.sleep(50);
            List<String> now = missing(root);
            if (!now.equals(missing)) {
                quietSince = System.nanoTime();
                missing = now;
            }
            boolean isSaid = said.stream().anyMatch(line -> SAID.matcher(line).matches());
            if (isSaid && System.nanoTime() - quietSince > QUIET.toNanos()) {
                break;
            }
        }
        return new End(null, missing);
    }

    private static List<String> missing(Path root) throws IOException {
        List<String> missing = new ArrayList<>();
        for (String name : FILES.keySet()) {
            Path there = root.resolve("into").resolve(name);
            if (Files.exists(there)) {
                assertThat(Files.mismatch(there, source(name)))
                        .as("first byte that differs in " + there)
                        .isEqualTo(-1);
            } else {
                missing.add(name);
            }
        }
        return missing;
    }
}
