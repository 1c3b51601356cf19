package io.hawser.ptcp.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StreamMessageTest {
    private static Map<String, StreamMessage> all() {
        Map<String, StreamMessage> all = new LinkedHashMap<>();
        all.put("RECEIVED", new StreamMessage.Received(5, StreamMessage.INITIAL_LIMIT));
        all.put("END", new StreamMessage.End(1L << 32));
        all.put("STOP", new StreamMessage.Stop());
        return all;
    }

    /** The bytes of version 1 are fixed for ever. */
    @Test
    void bytesAreThoseOfVersion1() throws IOException {
        StringBuilder actual = new StringBuilder();
        all().forEach((name, message) -> actual.append(name)
                .append(' ')
                .append(ByteBufUtil.hexDump(StreamMessage.encode(message)))
                .append('\n'));

        assertThat(actual).hasToString(golden());
        for (String line : golden().split("\n")) {
            String[] words = line.split(" ");
            ByteBuf bytes = Unpooled.wrappedBuffer(ByteBufUtil.decodeHexDump(words[1]));
            assertThat(StreamMessage.decode(bytes)).isEqualTo(all().get(words[0]));
        }
    }

    /** A session whose peer says such a thing ends, see {@code PTCPStrangersTest}. */
    @Test
    void whatNoVersionKnowsIsNoMessage() {
        for (String unknown :
                new String[] {"", "00", "04", "0301", "0200000001000000", "01000000000000000500000000000400"}) {
            assertThat(StreamMessage.decode(Unpooled.wrappedBuffer(ByteBufUtil.decodeHexDump(unknown))))
                    .as(unknown)
                    .isNull();
        }
    }

    private static String golden() throws IOException {
        try (InputStream in = StreamMessageTest.class.getResourceAsStream("/golden/v1/stream-messages.txt")) {
            if (in == null) {
                throw new AssertionError("no golden file");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
