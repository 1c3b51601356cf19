package io.hawser.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import io.hawser.store.spool.Upload;
import java.io.InputStream;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StreamSpoolerTest {
    private static final int FRAGMENT_BYTES = 4096;

    private final ExecutorService loop = Executors.newSingleThreadExecutor();
    private final FragmentBufferPool pool = new FragmentBufferPool(FRAGMENT_BYTES, 2);
    private final AtomicInteger cancels = new AtomicInteger();

    @AfterEach
    void end() {
        loop.shutdown();
    }

    /** Takes {@code writes} fragments and refuses all others. */
    private Upload refusingAfter(int writes) {
        Manifest manifest = new Manifest(
                TransferKey.parse("%032x-%032x".formatted(1, 2)),
                1,
                new Topic("t"),
                TransferKind.FILE,
                "f",
                List.of("f"),
                Manifest.UNKNOWN_SIZE,
                FRAGMENT_BYTES,
                Map.of());
        AtomicInteger left = new AtomicInteger(writes);
        return (Upload) Proxy.newProxyInstance(
                Upload.class.getClassLoader(), new Class<?>[] {Upload.class}, (proxy, method, arguments) -> {
                    return switch (method.getName()) {
                        case "manifest" -> manifest;
                        case "reserve" -> true;
                        case "write" -> {
                            @SuppressWarnings("unchecked")
                            Outcome.Callback<Long> done = (Outcome.Callback<Long>) arguments[3];
                            done.accept(
                                    left.getAndDecrement() > 0
                                            ? Outcome.of(0L)
                                            : Outcome.refused(ErrorCode.NO_SPACE, "no room"));
                            yield null;
                        }
                        case "cancel" -> {
                            cancels.incrementAndGet();
                            yield null;
                        }
                        default -> throw new UnsupportedOperationException(method.getName());
                    };
                });
    }

    /** After as many of them as there are buffers the next send waited for ever. */
    @Test
    void aStreamThatIsRefusedKeepsNoBuffer() {
        for (int i = 0; i < 20; i++) {
            int refused = i % 4;
            assertThatThrownBy(() -> new StreamSpooler(loop, pool, refusingAfter(refused)).run(endless()))
                    .isInstanceOf(HawserException.class)
                    .hasMessageContaining("no room");
        }
        await().until(() -> pool.available() == pool.capacity());
        await().until(() -> cancels.get() == 20);
        assertThat(pool.capacity()).isEqualTo(2);
    }

    private static InputStream endless() {
        return new InputStream() {
            @Override
            public int read() {
                return 7;
            }

            @Override
            public int read(byte[] into, int offset, int length) {
                Arrays.fill(into, offset, offset + length, (byte) 7);
                return length;
            }
        };
    }
}
