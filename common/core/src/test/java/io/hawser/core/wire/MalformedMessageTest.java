package io.hawser.core.wire;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.core.remote.RemoteFileCodec;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** Messages that were understood, or failed in another way, although they cannot be. */
class MalformedMessageTest {
    private static final String KEY = "00".repeat(31) + "01";
    private static final String ROOT = "00".repeat(32);

    private static void refused(String hex) {
        ByteBuf in = Unpooled.wrappedBuffer(ByteBufUtil.decodeHexDump(hex));
        assertThatThrownBy(() -> SessionCodec.decode(in)).isInstanceOf(MalformedMessageException.class);
    }

    /** It was an ArithmeticException. */
    @Test
    void aCommitWithFragmentsOfNoBytesIsMalformed() {
        refused("050001" + KEY + "0000000000000005" + "0000000000000001" + "00000000" + ROOT);
    }

    /** The number of fragments was computed with an overflow, and came out negative. */
    @Test
    void aCommitOfTheLargestSizeHasAPositiveFragmentCount() {
        refused("050001" + KEY + "7fffffffffffffff" + "fff8000000000000" + "00100000" + ROOT);
    }

    /** As text it is three times as long: a relay passed it on, and the next node refused that as malformed, again and again. */
    @Test
    void aStringThatIsNotUtf8IsMalformed() {
        refused("090001" + KEY + "0003" + "ffffff");
        byte[] file = ByteBufUtil.decodeHexDump(
                "00" + "0000000000000005" + "0000000000000006" + "01a4" + "0002" + "ffff" + "0000");
        assertThatThrownBy(() -> RemoteFileCodec.get(ByteBuffer.wrap(file)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /** The subtraction that compares the lengths overflowed. */
    @Test
    void aPacketOfAFragmentOfNegativeLengthIsMalformed() {
        String header =
                "010001" + KEY + "0000000000000000" + "00000000" + "00000001" + "80000000" + "00000000" + ROOT + "00";
        ByteBuf in = Unpooled.wrappedBuffer(ByteBufUtil.decodeHexDump(header));
        assertThatThrownBy(() -> StreamHeaderCodec.decode(in, 1)).isInstanceOf(MalformedMessageException.class);
    }

    /** No set of ranges can hold it: it was stored, acked as nothing, and stored again as often as it came. */
    @Test
    void aFragmentWithTheHighestIndexOfAllIsMalformed() {
        String header =
                "010001" + KEY + "7fffffffffffffff" + "00000000" + "00000001" + "00000001" + "00000000" + ROOT + "00";
        ByteBuf in = Unpooled.wrappedBuffer(ByteBufUtil.decodeHexDump(header));
        assertThatThrownBy(() -> StreamHeaderCodec.decode(in, 1)).isInstanceOf(MalformedMessageException.class);
    }
}
