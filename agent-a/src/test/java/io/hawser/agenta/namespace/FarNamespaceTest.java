package io.hawser.agenta.namespace;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.agenta.namespace.Namespace.Place;
import io.hawser.core.hop.Outcome;
import io.hawser.core.model.Topic;
import io.hawser.core.remote.RemoteFile;
import io.hawser.core.remote.RemoteFiles;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What is remembered of the far end: for a short while as the truth, and for longer as a guess. */
class FarNamespaceTest {
    private static final Topic TOPIC = new Topic("site-b");
    private static final List<RemoteFile> ENTRIES =
            IntStream.range(0, 9).mapToObj(i -> file("f" + i)).toList();

    private int asked;
    private long now;
    private final RemoteFiles remote = (RemoteFiles) Proxy.newProxyInstance(
            RemoteFiles.class.getClassLoader(),
            new Class<?>[] {RemoteFiles.class},
            (proxy, method, arguments) -> answer(method.getName(), arguments));
    private final FarNamespace view = new FarNamespace(remote, Duration.ofSeconds(10), topic -> {}, () -> now);

    private static RemoteFile file(String name) {
        return new RemoteFile(name, RemoteFile.Kind.FILE, 1, 0, 0644, "version of " + name);
    }

    private static Place place(String name) {
        return new Place(TOPIC, name);
    }

    @SuppressWarnings("unchecked")
    private Object answer(String method, Object[] arguments) {
        asked++;
        Object answer = method.equals("list") ? ENTRIES : file((String) arguments[1]);
        ((Outcome.Callback<Object>) arguments[3]).accept(Outcome.of(answer));
        return null;
    }

    @Test
    void aLookIsTheTruthForAShortWhileAndAGuessFromThen() {
        view.stat(place("f"), true, outcome -> {});
        view.stat(place("f"), true, outcome -> {});
        assertThat(asked).isEqualTo(1);

        now += Duration.ofMinutes(10).toNanos();
        assertThat(view.lastTold(place("f"))).contains(file("f"));
        view.stat(place("f"), true, outcome -> {});
        assertThat(asked).isEqualTo(2);
    }

    @Test
    void whatIsListedCanBeGuessedToo() {
        view.list(place("d"), true, outcome -> {});
        now += Duration.ofMinutes(10).toNanos();

        for (RemoteFile entry : ENTRIES) {
            assertThat(view.lastTold(place("d/" + entry.name()))).contains(entry);
        }
        assertThat(view.lastTold(place("d/f"))).isEmpty();
        assertThat(view.lastTold(place("d/g"))).isEmpty();
        assertThat(view.lastTold(place("f1"))).isEmpty();
    }

    @Test
    void clientsThatNameTopicsAtWillFillNeitherMemoryNorHealth() {
        for (int i = 0; i < 3 * FarNamespace.MAX_AWAY; i++) {
            view.unanswered(new Topic("t" + i));
        }
        view.unanswered(TOPIC);
        assertThat(view.away()).hasSize(FarNamespace.MAX_AWAY).contains(TOPIC);
        assertThat(view.isAway(TOPIC)).isTrue();
    }

    @Test
    void whatWasDoneThereLeavesNothingToGuessFrom() {
        view.stat(place("d/f0"), true, outcome -> {});
        view.list(place("d"), true, outcome -> {});

        view.changed(place("d/f0"));

        assertThat(view.lastTold(place("d/f0"))).isEmpty();
    }
}
