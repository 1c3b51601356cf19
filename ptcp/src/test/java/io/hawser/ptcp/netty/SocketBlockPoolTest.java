package io.hawser.ptcp.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.junit.jupiter.api.Test;

class SocketBlockPoolTest {
    private final Deque<Runnable> later = new ArrayDeque<>();
    private final SocketBlockPool pool = new SocketBlockPool((seconds, task) -> later.add(task));

    @Test
    void bufferHasTheLengthThatWasAskedForAndNoMore() {
        for (int length : new int[] {1, 32 << 10, (32 << 10) + 1, 100_000, (1 << 17) + 1, SocketBlockPool.MOST_BYTES}) {
            ByteBuf buffer = pool.take(length);
            assertThat(buffer.writableBytes()).isEqualTo(length);
            assertThat(buffer.maxCapacity()).isEqualTo(length);
            buffer.writeZero(length).setByte(length - 1, 7);
            assertThat(buffer.nioBuffer(0, length).get(length - 1)).isEqualTo((byte) 7);
            buffer.release();
        }
        assertThat(pool.takenBlocks()).isZero();
        assertThatThrownBy(() -> pool.take(SocketBlockPool.MOST_BYTES + 1))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void memoryIsUsedAgainWhenTheLastSliceIsReleased() {
        ByteBuf block = pool.take(1 << 20);
        ByteBuf slice = block.writeZero(100).retainedSlice(10, 20);
        block.release();
        assertThat(pool.keptBytes()).isZero();
        slice.release();
        assertThat(pool.keptBytes()).isEqualTo(1 << 20);
        ByteBuf again = pool.take(600_000);
        assertThat(pool.keptBytes()).isZero();
        assertThat(again.readableBytes()).isZero();
        again.release();
        assertThat(pool.takenBlocks()).isZero();
    }

    @Test
    void keptMemoryIsBoundedAndGivenBackWhenNobodyNeedsIt() {
        List<ByteBuf> many = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            many.add(pool.take(1 << 20));
        }
        many.forEach(ByteBuf::release);
        assertThat(pool.keptBytes()).isBetween(1L << 20, 24L << 20);
        assertThat(later).hasSize(1);
        later.remove().run(); // begins to look what is needed
        ByteBuf needed = pool.take(1 << 20);
        needed.release();
        later.remove().run();
        assertThat(pool.keptBytes()).isEqualTo(1 << 20);
        later.remove().run();
        assertThat(pool.keptBytes()).isZero();
        assertThat(later).isEmpty();
    }
}
