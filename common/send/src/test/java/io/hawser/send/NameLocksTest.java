package io.hawser.send;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.core.model.Topic;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.ops.cli.CommandException;
import io.hawser.ops.cli.ExitCode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Invariant(InvariantName.HONEST_ANSWERS)
class NameLocksTest {
    private static final Topic TOPIC = new Topic("site-b");

    @TempDir
    Path state;

    private static SendPlan files(Stream<String> names) {
        return new SendPlan(
                names.map(name -> new SendPlan.Entry(Path.of("/from"), name, false, 0))
                        .toList(),
                List.of());
    }

    private NameLocks take(String... names) throws IOException {
        return NameLocks.take(state, TOPIC, files(Stream.of(names)));
    }

    private void assertBusy(String name) {
        assertThatThrownBy(() -> take(name)).isInstanceOfSatisfying(CommandException.class, busy -> {
            assertThat(busy.exitCode()).isEqualTo(ExitCode.BUSY);
            assertThat(busy).hasMessageContainingAll("is sending '", name.substring(0, 1), "Nothing was sent");
        });
    }

    @Test
    void aNameIsOneCommandsUntilItEnds() throws IOException {
        try (NameLocks held = take("a", "tree/b", "tree/c")) {
            assertThat(held).isNotNull();
            assertBusy("a");
            assertBusy("tree/c");
            take("b", "tree/a", "c/tree").close();
            NameLocks.take(state, new Topic("other"), files(Stream.of("a"))).close();
        }
        take("a").close();
    }

    @Test
    void whatIsRefusedHoldsNoName() throws IOException {
        try (NameLocks held = take("z")) {
            assertThat(held).isNotNull();
            assertThatThrownBy(() -> take("a", "b", "z")).isInstanceOf(CommandException.class);
            take("a", "b").close();
        }
    }

    @Test
    void aDirectoryOfManyNamesIsLockedAsAWhole() throws IOException {
        Stream<String> many =
                IntStream.rangeClosed(0, NameLocks.MAX_LOCKS_OF_DIRECTORY).mapToObj(i -> "tree/" + i);
        try (NameLocks held = NameLocks.take(state, TOPIC, files(many))) {
            assertThat(held).isNotNull();
            assertBusy("tree/1");
            assertBusy("tree/another");
            take("other/1").close();
        }
        take("tree/1").close();
    }

    @Test
    void directoriesMayBeMadeByTwo() throws IOException {
        SendPlan plan = new SendPlan(List.of(new SendPlan.Entry(Path.of("/from"), "empty", true, 0)), List.of());
        try (NameLocks held = NameLocks.take(state, TOPIC, plan)) {
            assertThat(held).isNotNull();
            NameLocks.take(state, TOPIC, plan).close();
        }
    }
}
