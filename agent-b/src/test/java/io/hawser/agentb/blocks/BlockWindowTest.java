package io.hawser.agentb.blocks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.ProtocolException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class BlockWindowTest {
    private static final long SOON = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long LONG = TimeUnit.SECONDS.toNanos(20);

    private static byte[] taken(BlockWindow window, int most) throws IOException {
        ByteBuffer into = ByteBuffer.allocate(most);
        window.take(into, most, LONG);
        return Arrays.copyOf(into.array(), into.position());
    }

    @Test
    void bytesComeOutInTheOrderOfTheFile() throws Exception {
        BlockWindow window = new BlockWindow(100, 110, 8);

        window.put(103, new byte[] {3, 4}, 2);
        window.put(100, new byte[] {0, 1, 2}, 3);
        assertThat(taken(window, 2)).containsExactly(0, 1);
        assertThat(taken(window, 9)).containsExactly(2, 3, 4);

        window.put(103, new byte[] {9, 9, 5}, 3); // again, and one more
        window.put(106, new byte[] {6, 7, 8, 9}, 4);
        assertThat(taken(window, 9)).containsExactly(5, 6, 7, 8, 9);
    }

    @Test
    void anyOrderAndAnySizesMakeTheFile() throws Exception {
        byte[] file = new byte[100_000];
        new Random(7).nextBytes(file);
        BlockWindow window = new BlockWindow(0, file.length, 3_000);
        ExecutorService connections = Executors.newFixedThreadPool(4);
        try {
            for (int connection = 0; connection < 4; connection++) {
                int mine = connection;
                Future<?> unused = connections.submit(() -> {
                    for (int at = mine * 700; at < file.length; at += 4 * 700) {
                        int length = Math.min(700, file.length - at);
                        window.put(at, Arrays.copyOfRange(file, at, at + length), length);
                    }
                    return true;
                });
            }
            ByteBuffer into = ByteBuffer.allocate(file.length);
            while (into.hasRemaining()) {
                window.take(into, Math.min(into.remaining(), 1_000), LONG);
            }
            assertThat(into.array()).isEqualTo(file);
        } finally {
            connections.shutdownNow();
        }
    }

    @Test
    void whatCannotBeIsRefused() {
        BlockWindow window = new BlockWindow(0, 10, 8);

        assertThatThrownBy(() -> window.put(8, new byte[3], 3)).isInstanceOf(ProtocolException.class);
        assertThatThrownBy(() -> window.put(Long.MAX_VALUE, new byte[3], 3)).isInstanceOf(ProtocolException.class);
    }

    @Test
    void scatteredBytesAreRefusedBeforeTheirRangesFillTheHeap() throws Exception {
        BlockWindow window = new BlockWindow(0, 1 << 20, 1 << 20);
        for (int run = 0; run < BlockWindow.MAX_RUNS; run++) {
            window.put(1 + 2 * run, new byte[1], 1);
        }

        assertThatThrownBy(() -> window.put(1 + 2 * BlockWindow.MAX_RUNS, new byte[1], 1))
                .isInstanceOf(ProtocolException.class)
                .hasMessageContaining("more than 4096 gaps");
    }

    @Test
    void silenceAndFailureAreTold() throws Exception {
        BlockWindow window = new BlockWindow(0, 10, 8);
        window.put(1, new byte[2], 2);
        assertThatThrownBy(() -> window.take(ByteBuffer.allocate(1), 1, SOON))
                .isInstanceOf(SocketTimeoutException.class);

        window.put(0, new byte[1], 1);
        window.fail(new IOException("cut"));
        assertThat(taken(window, 10)).hasSize(3); // what is here is the file's
        assertThatThrownBy(() -> window.take(ByteBuffer.allocate(1), 1, LONG)).hasMessage("cut");
        assertThatThrownBy(() -> window.put(3, new byte[1], 1)).hasMessage("cut");
    }
}
