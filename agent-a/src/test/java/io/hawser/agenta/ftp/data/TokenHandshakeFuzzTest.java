package io.hawser.agenta.ftp.data;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.hawser.gsi.GsiException;
import io.hawser.gsi.path.ValidatedPeer;
import io.hawser.gsi.token.GsiExchange;
import io.hawser.gsi.token.TlsRecordHeader;
import io.netty.buffer.ByteBuf;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * What comes over a data connection before its two ends know each other: any bytes, cut anywhere, give the same tokens or the same
 * refusal; each token is one record, no byte behind the last one is taken, and memory is what a record may have.
 */
class TokenHandshakeFuzzTest {
    private static final int MAX_RECORD_BYTES = TlsRecordHeader.BYTES + (16 << 10) + 2048;
    private static final int MAX_TOKENS = 4;

    /** The first byte says how long the pieces are at most and after how many tokens the exchange is done. */
    @FuzzTest(maxDuration = "2m")
    void tokens(byte[] data) {
        if (data.length > 1) {
            assertThat(follow(data, 1 + (data[0] & 0x1F))).isEqualTo(follow(data, data.length));
        }
    }

    /** An exchange that takes any token. */
    private static final class Taking implements GsiExchange {
        private final int wanted;
        private final StringBuilder story = new StringBuilder();
        private int tokens;
        private int bytes;

        Taking(int wanted) {
            this.wanted = wanted;
        }

        @Override
        public byte[] step(byte[] token) throws GsiException {
            assertThat(token).hasSize(TlsRecordHeader.BYTES + TlsRecordHeader.contentLength(token));
            story.append(HexFormat.of().formatHex(token)).append(' ');
            tokens++;
            bytes += token.length;
            return tokens % 2 == 0 ? new byte[0] : token;
        }

        @Override
        public boolean isDone() {
            return tokens >= wanted;
        }

        @Override
        public ValidatedPeer peer() throws GsiException {
            throw new GsiException("nobody asks");
        }

        @Override
        public byte[] wrap(byte[] clear) {
            return clear;
        }

        @Override
        public byte[] unwrap(byte[] token) {
            return token;
        }
    }

    /** What becomes of the bytes, taken in pieces of at most {@code most}. */
    private static String follow(byte[] data, int most) {
        Taking exchange = new Taking(1 + (data[0] >> 6 & (MAX_TOKENS - 1)));
        StringBuilder ends = new StringBuilder();
        EmbeddedChannel netty = new EmbeddedChannel();
        DataConnection channel = DataConnection.on(netty);
        TokenHandshake handshake = new TokenHandshake(
                channel,
                exchange,
                Runnable::run,
                Duration.ofHours(1),
                cause -> ends.append(cause == null ? "done" : cause.getMessage()));
        handshake.begin();
        int at = 1;
        while (at < data.length && handshake.hasSpace()) {
            ByteBuf place = handshake.space();
            assertThat(place).isNotNull();
            assertThat(place.writableBytes()).isBetween(1, MAX_RECORD_BYTES);
            int length = Math.min(Math.min(most, place.writableBytes()), data.length - at);
            place.writeBytes(data, at, length);
            place.release();
            at += length;
            handshake.received(length);
            netty.runPendingTasks();
        }
        boolean refused = ends.toString().startsWith("it could not be authenticated");
        if (ends.length() == 0) {
            handshake.broken(new IOException("the end of the test's bytes"));
        } else if (!refused) {
            assertThat(ends).hasToString("done");
            assertThat(at - 1).as("nothing behind the last token").isEqualTo(exchange.bytes);
        }
        assertThat(handshake.hasSpace()).as("it is over").isFalse();
        assertThat(netty.isOpen()).isEqualTo(ends.toString().equals("done"));
        assertThat(exchange.story.toString().replace(" ", ""))
                .isEqualTo(HexFormat.of().formatHex(Arrays.copyOfRange(data, 1, 1 + exchange.bytes)));
        netty.finishAndReleaseAll();
        return exchange.story.append(ends).toString();
    }
}
