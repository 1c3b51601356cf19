package io.hawser.agenta.namespace;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.agenta.testkit.SpoolRig;
import io.hawser.core.ftp.FtpPath;
import io.hawser.core.model.Attributes;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferKind;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.store.spool.UploadRequest;
import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoop;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Names as clients see them while uploads and operations are on their way. */
final class PendingNamesTest {
    private static final Topic TOPIC = new Topic("t");

    private final EventLoop loop = new DefaultEventLoop();
    private final SpoolRig rig;
    private final PendingNames pending;

    PendingNamesTest() throws Exception {
        this.rig = new SpoolRig(loop);
        this.pending = new PendingNames(new Namespace(TOPIC), rig.store);
    }

    @AfterEach
    void stop() {
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }

    private <T> T onLoop(Callable<T> task) throws Exception {
        return loop.submit(task).get();
    }

    private void send(TransferKind kind, String name, int size, Map<String, String> attributes) throws Exception {
        String to = attributes.getOrDefault(Attributes.RENAMED_TO, name);
        UploadRequest request = new UploadRequest(
                TOPIC, kind, name, List.of(name, to), size, 64 << 10, attributes, UploadRequest.Keyed.NONE);
        rig.settle(() -> rig.store
                .sendSmall(request, ByteBuffer.allocate(size), done -> {})
                .get());
    }

    private void file(String name, int size) throws Exception {
        send(TransferKind.FILE, name, size, Map.of());
    }

    private void rename(String from, String to) throws Exception {
        send(TransferKind.RENAME, from, 0, Map.of(Attributes.RENAMED_TO, to));
    }

    private void delete(String name) throws Exception {
        send(TransferKind.DELETE, name, 0, Map.of());
    }

    private PathState stateAt(String name) throws Exception {
        return onLoop(() -> pending.stateAt(new Namespace.Place(TOPIC, name)));
    }

    private static PathState atFarEnd(String... names) {
        return new PathState.AtFarEnd(List.of(names), OptionalLong.empty(), false, false);
    }

    private long sizeOf(String name) throws Exception {
        return onLoop(() ->
                pending.findTransferred(path(name)).map(PathFacts::sizeBytes).orElse(-1L));
    }

    private List<String> list(String name) throws Exception {
        return onLoop(() -> pending.list(path(name)).stream()
                .map(entry -> entry.name() + (entry.directory() ? "/" : ":" + entry.sizeBytes()))
                .toList());
    }

    private static FtpPath path(String name) {
        try {
            return FtpPath.ROOT.resolve(name);
        } catch (FtpPath.BadNameException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void renamedFileIsSeenUnderItsNewNameOnly() throws Exception {
        file("d/x.tmp", 7);
        rename("d/x.tmp", "d/x");

        assertThat(sizeOf("d/x")).isEqualTo(7);
        assertThat(stateAt("d/x.tmp")).isEqualTo(new PathState.Gone());
        assertThat(list("d")).containsExactly("x:7");

        file("d/x.tmp", 9);
        assertThat(sizeOf("d/x.tmp")).isEqualTo(9);
        assertThat(sizeOf("d/x")).isEqualTo(7);
        assertThat(list("d")).containsExactly("x:7", "x.tmp:9");
    }

    /** The far end may have had the directory before, with files in it, and then refuses to remove it. */
    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void onlyTheFarEndKnowsWhatIsBelowARemovedDirectory() throws Exception {
        send(TransferKind.MAKE_DIRECTORY, "d", 0, Map.of());
        send(TransferKind.REMOVE_DIRECTORY, "d", 0, Map.of());

        assertThat(stateAt("d")).isEqualTo(new PathState.Gone());
        assertThat(stateAt("d/f")).isEqualTo(atFarEnd("d/f"));
        assertThat(list("")).isEmpty();
    }

    @Test
    void renamedDirectoryTakesItsFilesAlong() throws Exception {
        file("a/b/f", 3);
        rename("a", "z");
        rename("z/b", "q");

        assertThat(sizeOf("q/f")).isEqualTo(3);
        assertThat(stateAt("a/b/f")).isEqualTo(new PathState.Gone());
        assertThat(stateAt("z/b/f")).isEqualTo(new PathState.Gone());
        assertThat(stateAt("q/other")).isEqualTo(atFarEnd("a/b/other", "z/b/other", "q/other"));
        assertThat(list("")).containsExactly("q/");
        assertThat(list("q")).containsExactly("f:3");
    }

    @Test
    void deletedFileIsGoneUntilItComesAgain() throws Exception {
        file("f", 1);
        delete("f");
        assertThat(stateAt("f")).isEqualTo(new PathState.Gone());
        assertThat(list("")).isEmpty();

        file("f", 2);
        assertThat(sizeOf("f")).isEqualTo(2);
    }

    @Test
    void whatTheFarEndHasIsNotKnownHere() throws Exception {
        rename("there", "here");

        assertThat(stateAt("here")).isEqualTo(atFarEnd("there", "here"));
        assertThat(stateAt("there")).isEqualTo(new PathState.Gone());
        assertThat(stateAt("else")).isEqualTo(atFarEnd("else"));
    }

    @Test
    void timeThatWasSetIsShown() throws Exception {
        file("f", 1);
        send(TransferKind.SET_TIME, "f", 0, Map.of(Attributes.MODIFIED_MILLIS, "86400000"));
        rename("f", "g");

        assertThat(onLoop(() -> pending.find(path("g")).orElseThrow().modifiedMillis()))
                .isEqualTo(86_400_000L);
    }

    /** The lookup of one name walks back, the listing plays forward: they must agree with a plain model. */
    @Test
    void lookupListingAndAModelAgree() throws Exception {
        long seed = 20;
        Random random = new Random(seed);
        TreeMap<String, Integer> model = new TreeMap<>();
        List<String> names = List.of("a", "b", "c", "d/a", "d/b", "e/a");
        for (int step = 1; step <= 300; step++) {
            String name = names.get(random.nextInt(names.size()));
            String other = names.get(random.nextInt(names.size()));
            switch (random.nextInt(3)) {
                case 0 -> {
                    file(name, step);
                    model.put(name, step);
                }
                case 1 -> {
                    if (model.remove(name) != null) {
                        delete(name);
                    }
                }
                default -> {
                    Integer size = model.get(name);
                    if (size != null) {
                        rename(name, other);
                        model.remove(name);
                        model.put(other, size);
                    }
                }
            }
            for (String each : names) {
                assertThat(sizeOf(each))
                        .as("seed %s, step %s, %s", seed, step, each)
                        .isEqualTo(model.getOrDefault(each, -1).longValue());
            }
            assertThat(list("d"))
                    .as("seed %s, step %s", seed, step)
                    .isEqualTo(model.subMap("d/", "d0").entrySet().stream()
                            .map(entry -> entry.getKey().substring(2) + ":" + entry.getValue())
                            .toList());
        }
    }
}
