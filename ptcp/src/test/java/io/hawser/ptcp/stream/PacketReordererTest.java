package io.hawser.ptcp.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PacketReordererTest {
    private final PacketReorderer merger = new PacketReorderer(3);

    @AfterEach
    void release() {
        merger.release();
    }

    @Test
    void piecesComeOutInOrder() {
        assertThat(offer(10, 5)).isEqualTo(PacketReorderer.Verdict.KEPT);
        assertThat(merger.poll()).isNull();
        assertThat(offer(0, 10)).isEqualTo(PacketReorderer.Verdict.KEPT);
        assertThat(lengthOfNext()).isEqualTo(10);
        assertThat(lengthOfNext()).isEqualTo(5);
        assertThat(merger.nextPosition()).isEqualTo(15);
    }

    @Test
    void duplicatesAreDroppedBeforeAndAfterTheyWereRead() {
        assertThat(offer(0, 10)).isEqualTo(PacketReorderer.Verdict.KEPT);
        assertThat(offer(0, 10)).isEqualTo(PacketReorderer.Verdict.DUPLICATE);
        assertThat(lengthOfNext()).isEqualTo(10);
        assertThat(offer(0, 10)).isEqualTo(PacketReorderer.Verdict.DUPLICATE);
        assertThat(merger.poll()).isNull();
    }

    @Test
    void piecesThatOverlapOrLieBeyondTheLimitAreRefused() {
        assertThat(offer(20, 10)).isEqualTo(PacketReorderer.Verdict.KEPT);
        assertThat(offer(25, 10)).isEqualTo(PacketReorderer.Verdict.REFUSED);
        assertThat(offer(15, 6)).isEqualTo(PacketReorderer.Verdict.REFUSED);
        assertThat(offer(20, 9)).isEqualTo(PacketReorderer.Verdict.REFUSED);
        assertThat(offer(95, 6)).isEqualTo(PacketReorderer.Verdict.REFUSED);
        assertThat(offer(-1, 2)).isEqualTo(PacketReorderer.Verdict.REFUSED);
        assertThat(offer(Long.MAX_VALUE - 1, 5)).isEqualTo(PacketReorderer.Verdict.REFUSED);
        assertThat(offer(50, 0)).isEqualTo(PacketReorderer.Verdict.REFUSED);
    }

    @Test
    void moreWaitingPiecesThanTheLimitAreRefused() {
        for (int i = 1; i <= 3; i++) {
            assertThat(offer(10L * i, 5)).isEqualTo(PacketReorderer.Verdict.KEPT);
        }
        assertThat(offer(60, 5)).isEqualTo(PacketReorderer.Verdict.REFUSED);
    }

    private PacketReorderer.Verdict offer(long position, int length) {
        return merger.offer(position, Unpooled.buffer().writeZero(length), 100);
    }

    private int lengthOfNext() {
        ByteBuf next = merger.poll();
        if (next == null) {
            return -1;
        }
        int length = next.readableBytes();
        next.release();
        return length;
    }
}
