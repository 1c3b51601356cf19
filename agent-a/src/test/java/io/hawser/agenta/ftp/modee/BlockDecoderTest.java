package io.hawser.agenta.ftp.modee;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.agenta.testkit.BlockStream;
import io.hawser.core.ftp.MalformedBlockException;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BlockDecoderTest {
    private final BlockDecoder decoder = new BlockDecoder();

    private void header(int flags, long count, long offset) throws MalformedBlockException {
        decoder.header(ByteBuffer.wrap(BlockStream.header(flags, count, offset)));
    }

    @Test
    void headerMayComeByteByByte() throws Exception {
        byte[] bytes = BlockStream.header(0, 5, 1L << 40);
        for (int i = 0; i < bytes.length; i++) {
            assertThat(decoder.headerMissing()).isEqualTo(bytes.length - i);
            assertThat(decoder.remaining()).isZero();
            decoder.header(ByteBuffer.wrap(bytes, i, 1));
        }

        assertThat(decoder.headerMissing()).isZero();
        assertThat(decoder.position()).isEqualTo(1L << 40);
        assertThat(decoder.remaining()).isEqualTo(5);
    }

    @Test
    void payloadMovesThePositionAndTheNextHeaderFollows() throws Exception {
        header(0, 5, 100);

        decoder.payload(2);
        assertThat(decoder.position()).isEqualTo(102);
        assertThat(decoder.headerMissing()).isZero();
        decoder.payload(3);

        assertThat(decoder.headerMissing()).isEqualTo(17);
        assertThat(decoder.ended()).isFalse();
    }

    @Test
    void eodOnADataBlockEndsBehindItsPayload() throws Exception {
        header(BlockStream.EOD, 3, 0);
        assertThat(decoder.ended()).isFalse();

        decoder.payload(3);

        assertThat(decoder.ended()).isTrue();
        assertThat(decoder.headerMissing()).isZero();
    }

    @Test
    void eofBlockHasNoPayloadWhateverItsCountSays() throws Exception {
        header(BlockStream.EOF, 77, 4);

        assertThat(decoder.remaining()).isZero();
        assertThat(decoder.ended()).isFalse();
        assertThat(decoder.headerMissing()).isEqualTo(17);
    }

    @Test
    void closeIsRememberedUntilTheEod() throws Exception {
        header(BlockStream.EOD | BlockStream.CLOSE, 0, 0);

        assertThat(decoder.ended()).isTrue();
        assertThat(decoder.closes()).isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "-1, 0",
        "0x7FFFFFFFFFFFFFFF, 0",
        "1, -1",
        "1, 0x7FFFFFFFFFFFFFFF",
        "0x7FFFFFFFFFFFFFFF, 0x7FFFFFFFFFFFFFFF",
        "0x0000100000000000, 0",
        "1, 0x00000F0000000000"
    })
    void impossibleCountsAndOffsetsAreRefused(String count, String offset) {
        assertThatThrownBy(() -> header(0, Long.decode(count), Long.decode(offset)))
                .isInstanceOf(MalformedBlockException.class);
    }

    @ParameterizedTest
    @ValueSource(ints = {0x10, 0x01, 0x02})
    void flagsThatAreNotOfferedAreRefused(int flags) {
        assertThatThrownBy(() -> header(flags, 0, 0)).isInstanceOf(MalformedBlockException.class);
    }

    @Test
    void blockLargerThanAnIntIsFollowedWithoutMemory() throws Exception {
        header(0, 1L << 42, 0);

        decoder.payload(Integer.MAX_VALUE);

        assertThat(decoder.remaining()).isEqualTo((1L << 42) - Integer.MAX_VALUE);
    }
}
