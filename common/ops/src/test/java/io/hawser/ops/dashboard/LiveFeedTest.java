package io.hawser.ops.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.core.access.Access;
import io.hawser.core.access.Grants;
import io.hawser.core.access.Identity;
import io.hawser.ops.http.ResponseBody;
import io.hawser.ptcp.testkit.TestTimes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LiveFeedTest {
    private final AtomicInteger samples = new AtomicInteger();
    private final AtomicReference<IOException> failure = new AtomicReference<>();
    private final List<ResponseBody> open = new ArrayList<>();
    private final LiveFeed feed = new LiveFeed("broker", limit -> {
        if (failure.get() != null) {
            throw failure.get();
        }
        int sample = samples.incrementAndGet();
        return List.of(new LiveRow("n-1", "t", "{\"sample\":" + sample + "}", sample, 0));
    });

    @AfterEach
    void leave() {
        open.forEach(ResponseBody::close);
        awaitNoSampler();
    }

    private static boolean isSampling() {
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getName().equals("hawser-admin-live"));
    }

    private static void awaitNoSampler() {
        await().atMost(TestTimes.MILLIS, TimeUnit.MILLISECONDS).until(() -> !isSampling());
    }

    private Optional<ResponseBody> view(String caller, AtomicReference<Access> rights) {
        Optional<ResponseBody> body = feed.open(caller, rights.get(), () -> Optional.ofNullable(rights.get()));
        body.ifPresent(open::add);
        return body;
    }

    private Optional<ResponseBody> view(String caller) {
        return view(caller, new AtomicReference<>(Access.OPEN));
    }

    private static Optional<String> next(ResponseBody body) throws Exception {
        return body.next()
                .toCompletableFuture()
                .get(TestTimes.MILLIS, TimeUnit.MILLISECONDS)
                .map(piece -> StandardCharsets.UTF_8.decode(piece).toString());
    }

    private static String until(ResponseBody body, String text) throws Exception {
        String piece = next(body).orElseThrow();
        while (!piece.contains(text)) {
            piece = next(body).orElseThrow();
        }
        return piece;
    }

    @Test
    void allViewersShareOneSamplerThatEndsWithTheLast() throws Exception {
        assertThat(isSampling()).isFalse();
        ResponseBody first = view("a").orElseThrow();
        ResponseBody second = view("b").orElseThrow();
        until(first, "\"sample\":1}");
        until(second, "\"sample\":1}");
        until(first, "\"sample\":2}");
        assertThat(isSampling()).isTrue();

        first.close();
        until(second, "\"sample\":3}");
        second.close();

        awaitNoSampler();
        int last = samples.get();
        until(view("c").orElseThrow(), "\"sample\":" + (last + 1) + "}");
    }

    @Test
    void viewersAreBoundedInAllAndForEachCaller() {
        for (int i = 0; i < 8; i++) {
            assertThat(view("greedy")).isPresent();
        }
        assertThat(view("greedy")).isEmpty();
        for (int i = 0; i < 24; i++) {
            assertThat(view("caller " + i)).isPresent();
        }
        assertThat(view("late")).isEmpty();
        open.remove(0).close();
        assertThat(view("late")).isPresent();
    }

    @Test
    void streamEndsWhenTheCallersRightsChange() throws Exception {
        AtomicReference<Access> rights = new AtomicReference<>(Access.OPEN);
        ResponseBody body = view("a", rights).orElseThrow();
        until(body, "tick");
        rights.set(new Access(Identity.UNKNOWN, Grants.NONE));

        assertThat(next(body)).isEmpty();
    }

    @Test
    void streamEndsWhenTheCallerIsNoLongerAdmitted() throws Exception {
        AtomicReference<Access> rights = new AtomicReference<>(Access.OPEN);
        ResponseBody body = view("a", rights).orElseThrow();
        until(body, "tick");
        rights.set(null);

        assertThat(next(body)).isEmpty();
    }

    @Test
    void streamsEndWhenTheNodeCannotTell() throws Exception {
        ResponseBody body = view("a").orElseThrow();
        until(body, "tick");
        failure.set(new IOException("the node is stopping"));

        Optional<String> piece = next(body);
        while (piece.isPresent()) {
            piece = next(body);
        }
        awaitNoSampler();
    }

    @Test
    void slowViewerHoldsNoQueue() throws Exception {
        ResponseBody slow = view("slow").orElseThrow();
        until(slow, "tick");
        ResponseBody fast = view("fast").orElseThrow();
        until(fast, "\"sample\":4}");

        String piece = until(slow, "rows");

        assertThat(piece)
                .as("the latest, and no sample before")
                .contains("\"sample\":")
                .doesNotContain("\"sample\":2}");
    }

    @Test
    void pieceIsBytesOfItsOwn() throws Exception {
        ResponseBody body = view("a").orElseThrow();
        ByteBuffer piece = body.next()
                .toCompletableFuture()
                .get(TestTimes.MILLIS, TimeUnit.MILLISECONDS)
                .orElseThrow();

        assertThat(StandardCharsets.UTF_8.decode(piece).toString())
                .startsWith("event: snapshot\ndata: {\"node\":\"broker\"");
        assertThat(body.lengthBytes()).isEqualTo(ResponseBody.UNKNOWN);
    }
}
