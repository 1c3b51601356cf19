package io.hawser.broker.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.core.model.NodeId;
import io.hawser.core.testkit.Golden;
import io.hawser.store.storage.CorruptRecordException;
import io.hawser.store.testkit.FaultyStorage;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Pins the file {@code nodes}. It has no version: a line is a node and a subject, and whatever else is refused. */
class StoredBindingsTest {
    private static final Path DATA = Path.of("/data");
    private static final Path FILE = DATA.resolve("nodes");
    private static final NodeId BERLIN = new NodeId(1, 0xFF);
    private static final String SUBJECT = "CN=berlin,OU=agent-a,O=Hawser";

    private final FaultyStorage storage = new FaultyStorage();
    private Executor disk = Runnable::run;

    @BeforeEach
    void make() throws Exception {
        storage.createDirectories(DATA);
    }

    private StoredBindings open() throws Exception {
        return StoredBindings.open(storage, DATA, disk, Runnable::run, node -> {});
    }

    private static Optional<String> come(StoredBindings bindings, NodeId node, String subject) {
        Optional<String> refusal = bindings.whyNot(node, subject);
        if (refusal.isEmpty()) {
            bindings.bind(node, subject).ifPresent(written -> assertThat(written.toCompletableFuture())
                    .isCompletedWithValue(""));
        }
        return refusal;
    }

    @Test
    void aNodeThatIsNewWaitsForTheDiskAndTheLoopDoesNot() throws Exception {
        Deque<Runnable> waiting = new ArrayDeque<>();
        disk = waiting::add;
        StoredBindings bindings = open();
        long calls = storage.calls();

        CompletableFuture<String> written =
                bindings.bind(BERLIN, SUBJECT).orElseThrow().toCompletableFuture();
        CompletableFuture<String> other =
                bindings.bind(BERLIN, "CN=other").orElseThrow().toCompletableFuture();

        assertThat(storage.calls()).as("nothing is written on the loop").isEqualTo(calls);
        assertThat(written).isNotDone();
        waiting.remove().run();
        assertThat(written).isCompletedWithValue("");
        assertThat(other).isCompletedWithValue("");
        assertThat(bindings.whyNot(BERLIN, SUBJECT)).isEmpty();
        assertThat(bindings.bind(BERLIN, SUBJECT)).isEmpty();
        assertThat(bindings.whyNot(BERLIN, "CN=other").orElseThrow()).contains("another certificate");
        assertThat(waiting).isEmpty();
    }

    @Test
    void aNodeThatCannotBeWrittenDownIsToldAndMayTryAgain() throws Exception {
        StoredBindings bindings = open();
        storage.failCall(1, FaultyStorage.Fault.ENOSPC, true);
        assertThat(bindings.bind(BERLIN, SUBJECT)
                        .orElseThrow()
                        .toCompletableFuture()
                        .join())
                .contains("cannot write down");

        storage.heal();

        assertThat(come(bindings, BERLIN, SUBJECT)).isEmpty();
        assertThat(come(open(), BERLIN, "CN=other")).isPresent();
    }

    @Test
    void nodesAreWrittenAndReadAsVersionOneHasThem() throws Exception {
        byte[] golden = Golden.read(StoredBindingsTest.class, "v1/nodes.txt").get("NODES");

        assertThat(come(open(), BERLIN, SUBJECT)).isEmpty();
        assertThat(come(open(), new NodeId(1, 10), "CN=agent-b,O=Hawser")).isEmpty();

        assertThat(storage.readAll(FILE)).isEqualTo(golden);
        assertThat(come(open(), BERLIN, SUBJECT)).isEmpty();
        assertThat(come(open(), BERLIN, "CN=somebody")).isPresent();
        assertThat(storage.readAll(FILE)).isEqualTo(golden);
    }

    @Test
    void whatIsNoLineOfThisVersionIsRefusedAndLeftAsItIs() throws Exception {
        byte[] later = "version 2\n".getBytes(StandardCharsets.US_ASCII);
        storage.replaceAll(FILE, later);

        assertThatThrownBy(this::open)
                .isInstanceOf(CorruptRecordException.class)
                .hasMessageContaining(FILE + " is damaged: line 1");
        assertThat(storage.readAll(FILE)).isEqualTo(later);
    }

    /** A line of its own would be a node that nobody has. */
    @Test
    void aSubjectOfTwoLinesIsOneLine() throws Exception {
        assertThat(come(open(), BERLIN, "CN=a\nb")).isEmpty();

        assertThat(come(open(), BERLIN, "CN=a\nb")).isEmpty();
        assertThat(come(open(), BERLIN, "CN=c")).isPresent();
    }

    /** What was torn must not become the beginning of the next line. */
    @Test
    void aTornLineIsCutOffAlsoBehindBytesThatAreNoText() throws Exception {
        byte[] torn = {'0', '0', (byte) 0xFF};
        assertThat(come(open(), BERLIN, "CN=\u00e9")).isEmpty();
        byte[] first = storage.readAll(FILE);
        byte[] both = java.util.Arrays.copyOf(first, first.length + torn.length);
        System.arraycopy(torn, 0, both, first.length, torn.length);
        storage.replaceAll(FILE, both);

        open();

        assertThat(storage.readAll(FILE)).isEqualTo(first);
    }
}
