package io.hawser.broker.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.hop.Fragment;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.TransferId;
import io.hawser.core.model.TransferKey;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PayloadPartTest {
    private static final TransferKey KEY = new TransferKey(new NodeId(1, 2), TransferId.of(3, 4, 5));
    private static final int OFFSET = 33;

    /** With a checksum that is any number. */
    static Fragment fragment(byte[] bytes, int crc32c) {
        FragmentBuffer buffer = Objects.requireNonNull(new FragmentBufferPool(4096, 1).tryAcquire());
        buffer.payload(OFFSET, bytes.length).put(bytes);
        byte[] leaf = new byte[32];
        Arrays.fill(leaf, (byte) 9);
        return new Fragment(KEY, 17, bytes.length, crc32c, leaf, buffer, OFFSET);
    }

    static byte[] encode(Fragment fragment, int part, int parts, long incarnation) {
        byte[] encoded = new byte[PayloadPart.encodedLength(fragment.length(), part, parts)];
        PayloadPart.encode(fragment, part, parts, incarnation, encoded);
        return encoded;
    }

    @Test
    void thePartsMakeThePayload() {
        for (int length : new int[] {1, 99, 100, 101, 1000}) {
            byte[] bytes = new byte[length];
            new Random(length).nextBytes(bytes);
            Fragment fragment = fragment(bytes, 1234);
            int parts = PayloadPart.count(length, 100);
            byte[] joined = new byte[length];
            for (int i = 0; i < parts; i++) {
                byte[] encoded = encode(fragment, i, parts, 8);
                assertThat(encoded.length).isLessThanOrEqualTo(PayloadPart.HEADER_BYTES + 100);
                PayloadPart part = Objects.requireNonNull(PayloadPart.tryRead(ByteBuffer.wrap(encoded)));
                assertThat(part.part()).isEqualTo(i);
                assertThat(part.parts()).isEqualTo(parts);
                assertThat(part.payloadLength()).isEqualTo(length);
                assertThat(part.key()).isEqualTo(KEY);
                assertThat(part.index()).isEqualTo(17);
                assertThat(part.crc32c()).isEqualTo(1234);
                assertThat(part.incarnation()).isEqualTo(8);
                assertThat(part.leaf()).isEqualTo(fragment.leaf());
                System.arraycopy(
                        encoded,
                        PayloadPart.HEADER_BYTES,
                        joined,
                        part.offset(),
                        encoded.length - PayloadPart.HEADER_BYTES);
            }
            assertThat(joined).isEqualTo(bytes);
            fragment.buffer().release();
        }
    }

    @Test
    void aPartOfAnotherLifeIsNotOfTheSame() {
        Fragment fragment = fragment(new byte[] {1, 2, 3}, 1234);
        PayloadPart one = Objects.requireNonNull(PayloadPart.tryRead(ByteBuffer.wrap(encode(fragment, 0, 1, 8))));
        PayloadPart other = Objects.requireNonNull(PayloadPart.tryRead(ByteBuffer.wrap(encode(fragment, 0, 1, 9))));
        fragment.buffer().release();

        assertThat(one.isOfSame(one)).isTrue();
        assertThat(one.isOfSame(other)).isFalse();
    }

    @Test
    void aHeaderWithAFlippedByteIsNone() {
        Fragment fragment = fragment(new byte[] {1, 2, 3}, 1234);
        byte[] good = encode(fragment, 0, 1, 8);
        fragment.buffer().release();
        for (int i = 0; i < PayloadPart.HEADER_BYTES; i++) {
            byte[] bad = good.clone();
            bad[i] ^= 1;
            assertThat(PayloadPart.tryRead(ByteBuffer.wrap(bad)))
                    .as("byte " + i)
                    .isNull();
        }
        assertThat(PayloadPart.tryRead(ByteBuffer.wrap(new byte[7]))).isNull();
    }

    @Test
    void aPartThatDoesNotLieWithinItsPayloadIsNone() {
        Fragment fragment = fragment(new byte[] {1, 2, 3}, 1234);
        byte[] good = encode(fragment, 0, 1, 8);
        fragment.buffer().release();
        for (int[] change : new int[][] {{10, -1}, {10, 1}, {10, Integer.MAX_VALUE}, {14, 2}, {14, -1}}) {
            byte[] bad = good.clone();
            ByteBuffer.wrap(bad).putInt(change[0], change[1]);
            ByteBuffer.wrap(bad).putInt(102, PayloadPart.checksum(ByteBuffer.wrap(bad)));
            assertThat(PayloadPart.tryRead(ByteBuffer.wrap(bad)))
                    .as(Arrays.toString(change))
                    .isNull();
        }
        byte[] second = good.clone();
        ByteBuffer.wrap(second).putShort(6, (short) 1);
        ByteBuffer.wrap(second).putInt(102, PayloadPart.checksum(ByteBuffer.wrap(second)));
        assertThat(PayloadPart.tryRead(ByteBuffer.wrap(second)))
                .as("the second of one")
                .isNull();
    }
}
