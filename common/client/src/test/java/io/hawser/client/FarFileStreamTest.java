package io.hawser.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.remote.RemoteBlock;
import io.hawser.core.remote.RemoteFile;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A far end that answers inside the question, and one loop that is the test's thread. */
class FarFileStreamTest {
    private static final int BLOCK = 4096;
    private static final RemoteFile FILE = new RemoteFile("f", RemoteFile.Kind.FILE, 0, 0, 0644, "v");

    private final FragmentBufferPool pool = new FragmentBufferPool(BLOCK, 16);
    private final byte[] content = new byte[20 * BLOCK + 77];
    private final List<String> asked = new ArrayList<>();
    private long changesAt = Long.MAX_VALUE;
    private long gapAt = Long.MAX_VALUE;

    FarFileStreamTest() {
        new Random(3).nextBytes(content);
    }

    @AfterEach
    void noMemoryIsHeld() {
        assertThat(pool.available()).isEqualTo(pool.capacity());
    }

    private FarFileStream open(long offset) {
        FarFileStream.Source source = (at, length, done) -> {
            asked.add(at + "+" + length);
            if (at >= changesAt) {
                done.accept(Outcome.refused(ErrorCode.NOT_FOUND, "No such file or directory"));
            } else {
                FragmentBuffer buffer = Objects.requireNonNull(pool.tryAcquire());
                int there = at >= gapAt ? length - 1 : length;
                buffer.payload(0, there).put(content, (int) at, there);
                done.accept(Outcome.of(new RemoteBlock(buffer, there, FILE)));
            }
            return () -> asked.add("cancel " + at);
        };
        return new FarFileStream(Runnable::run, source, offset, content.length, BLOCK);
    }

    @Test
    void allBytesComeInOrderInWholeBlocks() throws IOException {
        try (FarFileStream in = open(0)) {
            assertThat(in.readAllBytes()).isEqualTo(content);
            assertThat(in.read()).isEqualTo(-1);
        }
        assertThat(asked).hasSize(21).startsWith("0+4096").endsWith("81920+77");
    }

    @Test
    @Invariant(InvariantName.RESUME_FROM_DURABLE)
    void itContinuesWithinABlock() throws IOException {
        try (FarFileStream in = open(100)) {
            assertThat(in.readAllBytes()).isEqualTo(java.util.Arrays.copyOfRange(content, 100, content.length));
        }
        assertThat(asked).startsWith("100+3996", "4096+4096");
    }

    @Test
    @Invariant(InvariantName.BOUNDED_MEMORY)
    void onlySomeBlocksAreAskedForAhead() throws IOException {
        try (FarFileStream in = open(0)) {
            assertThat(in.read()).isEqualTo(content[0] & 0xFF);
            assertThat(asked).hasSizeLessThan(10);
        }
    }

    @Test
    @Invariant(InvariantName.NO_CHIMERA)
    void aFileThatIsGoneOrShorterHasChanged() throws IOException {
        changesAt = 3L * BLOCK;
        try (FarFileStream in = open(0)) {
            assertThatThrownBy(in::readAllBytes)
                    .isInstanceOfSatisfying(HawserException.class, changed -> assertThat(changed.reason())
                            .isEqualTo(HawserException.Reason.SOURCE_CHANGED));
        }
        changesAt = Long.MAX_VALUE;
        gapAt = 5L * BLOCK;
        try (FarFileStream in = open(0)) {
            assertThatThrownBy(in::readAllBytes)
                    .isInstanceOfSatisfying(HawserException.class, changed -> assertThat(changed.reason())
                            .isEqualTo(HawserException.Reason.SOURCE_CHANGED));
        }
    }
}
