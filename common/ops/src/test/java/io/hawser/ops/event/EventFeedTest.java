package io.hawser.ops.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.ops.http.Response;
import io.hawser.ops.http.ResponseBody;
import io.hawser.ops.http.TestRequests;
import io.hawser.ops.observe.Caller;
import io.hawser.store.event.EventType;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EventFeedTest {
    @TempDir
    Path directory;

    private EventRig rig;
    private EventFeed feed;
    private final AtomicReference<Optional<Caller>> caller = new AtomicReference<>(Optional.of(Caller.OPERATOR));

    @BeforeEach
    void open() throws Exception {
        rig = new EventRig(directory, EventRig.FOREVER);
        feed = new EventFeed(rig.log, "test");
    }

    @AfterEach
    void close() {
        rig.close();
    }

    private Response get(String target, Map<String, List<String>> headers) throws Exception {
        return feed.open(TestRequests.get(target, headers), Caller.OPERATOR, caller::get);
    }

    private static String piece(ResponseBody body) throws Exception {
        Optional<java.nio.ByteBuffer> piece = body.next().toCompletableFuture().get(60, TimeUnit.SECONDS);
        return piece.map(bytes -> StandardCharsets.UTF_8.decode(bytes).toString())
                .orElse("the end");
    }

    private void deliver(int from, int to) {
        for (int i = from; i <= to; i++) {
            rig.log.happened(EventRig.event(EventType.DELIVERED, i, "b", true, i));
        }
    }

    @Test
    void aClientGetsWhatHappensFromNowOn() throws Exception {
        deliver(1, 2);
        rig.log.awaitDurable();
        Response response = get("/events", Map.of());
        assertThat(response.status()).isEqualTo(200);
        assertThat(response.headers()).containsEntry("Content-Type", "text/event-stream; charset=utf-8");
        var next = response.body().next().toCompletableFuture();
        deliver(3, 3);
        String text = StandardCharsets.UTF_8
                .decode(next.get(60, TimeUnit.SECONDS).orElseThrow())
                .toString();
        assertThat(text)
                .startsWith("id: 3\nevent: delivered\ndata: {\"specversion\":\"1.0\"")
                .endsWith("}\n\n");
        assertThat(text).contains("\"name\":\"dir/file-3\"");
        response.body().close();
    }

    @Test
    void aClientThatComesAgainMissesNothing() throws Exception {
        deliver(1, 250);
        rig.log.awaitDurable();
        ResponseBody body =
                get("/events", Map.of("Last-Event-ID", List.of("10"))).body();
        StringBuilder all = new StringBuilder();
        while (!all.toString().contains("id: 250\n")) {
            all.append(piece(body));
        }
        assertThat(all.toString()).startsWith("id: 11\n");
        assertThat(all.toString().split("\nevent: delivered\n", -1)).hasSize(241);
        assertThat(piece(get("/events?after=249", Map.of()).body())).startsWith("id: 250\n");
    }

    @Test
    void whoLosesItsRightsGetsTheEnd() throws Exception {
        ResponseBody body = get("/events", Map.of()).body();
        caller.set(Optional.empty());
        deliver(1, 1);
        rig.log.awaitDurable();
        assertThat(piece(body)).isEqualTo("the end");
    }

    @Test
    void wrongNumbersAndTooManyClientsAreRefused() throws Exception {
        assertThat(get("/events?after=x", Map.of()).status()).isEqualTo(400);
        ResponseBody first = get("/events", Map.of()).body();
        for (int i = 1; i < 16; i++) {
            assertThat(get("/events", Map.of()).status()).isEqualTo(200);
        }
        assertThat(get("/events", Map.of()).status()).isEqualTo(503);
        first.close();
        assertThat(get("/events", Map.of()).status()).isEqualTo(200);
    }
}
