package io.hawser.it.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.client.HawserClient;
import io.hawser.client.Receiver;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.it.harness.LoopDisk;
import io.hawser.ops.cli.Hawser;
import io.hawser.ptcp.testkit.TestTimes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code hawser watch}: each version of each file once, whatever happens to the process. */
class WatchCommandIT {
    @TempDir
    Path directory;

    private LocalChain chain;
    private Path outbox;
    private Path sent;
    private HawserClient consumer;
    private Receiver receiver;
    /** Names and contents, in the order in which they came. */
    private final List<String> received = new CopyOnWriteArrayList<>();

    private volatile boolean holds;

    @BeforeEach
    void start() throws Exception {
        chain = new LocalChain(directory.resolve("nodes"));
        outbox = Files.createDirectories(directory.resolve("outbox"));
        sent = directory.resolve("sent");
        consumer = chain.client("consumer");
        receiver = consumer.receive("site-b", "consumer", object -> {
            try {
                received.add(object.name() + "=" + new String(object.bytes(), StandardCharsets.UTF_8));
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
            if (!holds) {
                object.ack();
            }
        });
        receiver.subscribed().get(TestTimes.SECONDS, TimeUnit.SECONDS);
    }

    @AfterEach
    void stop() throws IOException {
        consumer.close();
        chain.close();
    }

    private List<String> command(String... arguments) {
        List<String> words = new ArrayList<>(List.of("watch", outbox.toString(), "--to", "site-b:in"));
        words.addAll(List.of("--broker", chain.address().toString(), "--stable", "300ms"));
        words.addAll(List.of("--state", directory.resolve("state").toString()));
        words.addAll(List.of(arguments));
        return words;
    }

    private JavaProcess watch(String... arguments) throws IOException {
        return JavaProcess.start(directory, "watch", Map.of(), Hawser.class, command(arguments));
    }

    private CommandResult once(String... arguments) {
        List<String> words = command(arguments);
        words.add("--once");
        return CommandResult.of(words);
    }

    private Path write(String name, String content) throws IOException {
        Path file = outbox.resolve(name);
        Files.createDirectories(file.getParent());
        Path fresh = directory.resolve("fresh");
        Files.writeString(fresh, content);
        return Files.move(fresh, file, StandardCopyOption.REPLACE_EXISTING);
    }

    @Test
    void whatAppearsIsSentAndMoved() throws Exception {
        try (JavaProcess watch = watch("--then", "move:" + sent)) {
            write("a b.txt", "one");
            write("größe/鍵", "two");
            write("-rf", "three");
            await().until(() -> received.size() == 3);
            assertThat(received).containsExactlyInAnyOrder("in/a b.txt=one", "in/größe/鍵=two", "in/-rf=three");
            await().until(() -> Files.exists(sent.resolve("a b.txt"))
                    && Files.exists(sent.resolve("größe/鍵"))
                    && Files.exists(sent.resolve("-rf")));
            assertThat(outbox.resolve("a b.txt")).doesNotExist();
            write("a b.txt", "four");
            await().until(() -> Files.exists(sent.resolve("a b.txt.2")));
            assertThat(sent.resolve("a b.txt")).hasContent("one");
            assertThat(sent.resolve("a b.txt.2")).hasContent("four");
            watch.interrupt();
            assertThat(watch.await()).isEqualTo(130);
            assertThat(watch.err()).contains("run the same command again to continue");
        }
        assertThat(received).hasSize(4);
    }

    @Test
    @Invariant(InvariantName.EXACTLY_ONCE_DELIVERY)
    void aFileThatStaysIsSentOnceForEachVersion() throws Exception {
        write("f", "one");
        assertThat(once().code()).isZero();
        CommandResult again = once();
        assertThat(again.code()).as(again::err).isZero();
        assertThat(again.out()).isEmpty();
        write("f", "two");
        assertThat(once().out()).isEqualTo("delivered  f\n");
        assertThat(received).containsExactly("in/f=one", "in/f=two");
    }

    @Test
    void whatDoesNotFitIsLeftAlone() throws Exception {
        write(".f.part", "no");
        write("f", "yes");
        Files.createSymbolicLink(outbox.resolve("link"), Path.of("f"));
        assertThat(once("--exclude", ".*", "--then", "delete").code()).isZero();
        assertThat(received).containsExactly("in/f=yes");
        assertThat(outbox.resolve("f")).doesNotExist();
        assertThat(outbox.resolve(".f.part")).exists();
        assertThat(Files.isSymbolicLink(outbox.resolve("link"))).isTrue();
    }

    /** A writer that goes on writing is waited for. */
    @Test
    @Invariant(InvariantName.NO_CHIMERA)
    void aFileThatGrowsIsTakenWhenItHasStopped() throws Exception {
        try (JavaProcess watch = watch("--json")) {
            StringBuilder all = new StringBuilder();
            Path file = write("f", "0");
            all.append('0');
            for (int i = 1; i < 20; i++) {
                Thread.sleep(100); // shorter than --stable; what is tested is that rhythm
                Files.writeString(file, Integer.toString(i), java.nio.file.StandardOpenOption.APPEND);
                all.append(i);
            }
            await().until(() -> !received.isEmpty());
            assertThat(received).containsExactly("in/f=" + all);
            assertThat(watch.out()).contains("\"event\":\"taken\"");
        }
    }

    /** The moment between the send and the move. */
    @Test
    @Invariant(InvariantName.EXACTLY_ONCE_DELIVERY)
    void aKillBetweenSendAndMoveSendsNothingTwice() throws Exception {
        holds = true;
        write("f", "one");
        write("g", "two");
        try (JavaProcess watch = watch("--then", "move:" + sent)) {
            await().until(() -> !received.isEmpty()); // the handler has it and does not acknowledge
            assertThat(watch.out()).isEmpty();
        } // kill -9
        receiver.close();
        holds = false;
        received.clear();
        receiver = consumer.receive("site-b", "consumer", object -> {
            received.add(object.name());
            object.ack();
        });
        CommandResult rest = once("--then", "move:" + sent);
        assertThat(rest.code()).as(rest::err).isZero();
        assertThat(received).as("the same transfers, not new ones").containsExactlyInAnyOrder("in/f", "in/g");
        assertThat(sent.resolve("f")).hasContent("one");
        assertThat(sent.resolve("g")).hasContent("two");
        assertThat(outbox.resolve("f")).doesNotExist();
        assertThat(once("--then", "move:" + sent).out()).isEmpty();
        assertThat(received).hasSize(2);
    }

    @Test
    @Invariant(InvariantName.NO_CHIMERA)
    void aFileThatIsReplacedWhileItIsSentIsNotMovedInItsOldVersionsPlace() throws Exception {
        holds = true;
        write("f", "one");
        try (JavaProcess watch = watch("--then", "delete")) {
            await().until(() -> received.contains("in/f=one"));
            write("f", "two");
            receiver.close();
            holds = false;
            receiver = consumer.receive("site-b", "consumer", object -> {
                try {
                    received.add(object.name() + "=" + new String(object.bytes(), StandardCharsets.UTF_8));
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
                object.ack();
            });
            await().until(() -> received.contains("in/f=two") && !Files.exists(outbox.resolve("f")));
            await().until(() -> watch.out().contains("not there any more in the version that was sent"));
        }
    }

    @Test
    void mistakesAreSaidAtOnce() throws Exception {
        assertThat(once("--then", "burn").code()).isEqualTo(2);
        assertThat(once("--then", "move:" + outbox).code()).isEqualTo(2);
        CommandResult missing = CommandResult.of(List.of("watch", "/nowhere", "--to", "site-b"));
        assertThat(missing.code()).isEqualTo(1);
        assertThat(missing.err()).isEqualTo("hawser: /nowhere is no directory\n");
        try (JavaProcess watch = watch()) {
            write("f", "one");
            await().until(() -> !received.isEmpty());
            CommandResult second = once();
            assertThat(second.code()).isEqualTo(6);
            assertThat(second.err()).contains("another hawser watch sends this directory");
            assertThat(watch.err()).isEmpty();
        }
    }

    /** The journal's disk is full: the command ends and says so, and its next run sends each file once. */
    @Test
    @Invariant(InvariantName.FAIL_STOP)
    void aFullDiskEndsItAndTheNextRunSendsEachFileOnce() throws Exception {
        Path mount = Files.createDirectories(directory.resolve("state"));
        LoopDisk disk = LoopDisk.mount(directory.resolve("state.img"), mount, 512L << 20);
        try {
            try (JavaProcess watch = watch()) {
                write("first", "first");
                await().until(() -> received.size() == 1);
                disk.fillTo(0);
                for (int i = 0; i < 300; i++) {
                    write("f" + i, "" + i);
                }
                assertThat(watch.await()).as(watch.err()).isEqualTo(5);
                assertThat(watch.err()).contains("No space left on device");
            }
            disk.empty();
            CommandResult rest = once();
            assertThat(rest.code()).as(rest::err).isZero();
            await().until(() -> received.size() >= 301);
            assertThat(received).hasSize(301).doesNotHaveDuplicates();
        } finally {
            disk.unmount();
        }
    }
}
