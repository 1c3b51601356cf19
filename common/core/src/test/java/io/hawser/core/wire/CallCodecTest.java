package io.hawser.core.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.AckLevel;
import io.hawser.core.model.StartAt;
import io.hawser.core.model.Topic;
import io.hawser.core.remote.Answer;
import io.hawser.core.remote.ChecksumAlgorithm;
import io.hawser.core.remote.Question;
import io.hawser.core.remote.RemoteFile;
import io.hawser.core.remote.ServingMode;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class CallCodecTest {
    private static final Topic TOPIC = new Topic("b");
    private static final RemoteFile FILE = new RemoteFile("f", RemoteFile.Kind.FILE, 5, 6, 0644, "v");

    /** Messages with their bytes, which stay so for as long as version 2 is spoken. */
    static Stream<Arguments> messages() {
        return Stream.of(
                Arguments.of(
                        new SessionMessage.Subscribe(1, "b", TOPIC, StartAt.NOW, AckLevel.DURABLE, ServingMode.SERVES),
                        "140001" + "0162" + "0162" + hex(StartAt.NOW.code()) + hex(AckLevel.DURABLE.code()) + "01"
                                + "00"),
                Arguments.of(
                        new SessionMessage.Ask(7, TOPIC, new Question.Stat("f")),
                        "1e0000" + "0000000000000007" + "0162" + "01" + "0166"),
                Arguments.of(
                        new SessionMessage.Ask(7, TOPIC, new Question.ListPage("", "a")),
                        "1e0000" + "0000000000000007" + "0162" + "02" + "00" + "0161"),
                Arguments.of(
                        new SessionMessage.Ask(7, TOPIC, new Question.Read("f", "v", 258, 3)),
                        "1e0000" + "0000000000000007" + "0162" + "03" + "0166" + "0176" + "0000000000000102"
                                + "00000003"),
                Arguments.of(
                        new SessionMessage.Ask(7, TOPIC, new Question.Checksum("f", ChecksumAlgorithm.CRC32, 1, -1)),
                        "1e0000" + "0000000000000007" + "0162" + "04" + "0166" + "06" + "0000000000000001"
                                + "ffffffffffffffff"),
                Arguments.of(
                        new SessionMessage.Answered(7, new Answer.OfFile(FILE)),
                        "1f0000" + "0000000000000007" + "01" + "00" + "0000000000000005" + "0000000000000006" + "01a4"
                                + "000166" + "000176"),
                Arguments.of(
                        new SessionMessage.Answered(7, new Answer.OfChecksum("0a")),
                        "1f0000" + "0000000000000007" + "04" + "023061"),
                Arguments.of(
                        new SessionMessage.CallRefused(7, new Refusal(ErrorCode.UNREACHABLE, "x")),
                        "200000" + "0000000000000007" + "000e" + "0178"),
                Arguments.of(new SessionMessage.CancelCall(7), "210000" + "0000000000000007"));
    }

    private static String hex(int value) {
        return "%02x".formatted(value);
    }

    @ParameterizedTest
    @MethodSource("messages")
    void messagesHaveTheirBytesAndComeBack(SessionMessage message, String bytes) throws Exception {
        ByteBuf out = Unpooled.buffer();
        SessionCodec.encode(out, message);

        assertThat(ByteBufUtil.hexDump(out)).isEqualTo(bytes);
        assertThat(SessionCodec.decode(out)).isEqualTo(message);
    }

    /** Headers with their bytes. */
    static Stream<Arguments> headers() {
        return Stream.of(
                Arguments.of(
                        new StreamHeader.OfAnswer(7, new Answer.OfBlock(FILE), 0x01020304),
                        "030000" + "0000000000000007" + "01020304" + "03" + "00" + "0000000000000005"
                                + "0000000000000006" + "01a4" + "000166" + "000176"),
                Arguments.of(
                        new StreamHeader.OfAnswer(7, new Answer.OfPage("f"), -1),
                        "030000" + "0000000000000007" + "ffffffff" + "02" + "0166"),
                Arguments.of(
                        new StreamHeader.OfAnswerPart(
                                new StreamHeader.OfAnswer(7, new Answer.OfPage("f"), -1), 156, 256),
                        "040000" + "0000000000000007" + "ffffffff" + "0000009c" + "00000100" + "02" + "0166"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0000009d" + "00000100",
                "ffffffff" + "00000100",
                "00000000" + "80000000",
                "80000000" + "7fffffff"
            })
    void aPartLiesInItsAnswer(String place) {
        ByteBuf in = Unpooled.wrappedBuffer(
                ByteBufUtil.decodeHexDump("040000" + "0000000000000007" + "ffffffff" + place + "02" + "0166"));

        assertThatThrownBy(() -> StreamHeaderCodec.decode(in, 100)).isInstanceOf(MalformedMessageException.class);
    }

    @ParameterizedTest
    @MethodSource("headers")
    void headersHaveTheirBytesAndComeBack(StreamHeader header, String bytes) throws Exception {
        ByteBuf out = Unpooled.buffer();
        StreamHeaderCodec.encode(out, header);

        assertThat(ByteBufUtil.hexDump(out)).isEqualTo(bytes);
        assertThat(StreamHeaderCodec.decode(out, 100)).isEqualTo(header);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1e0000" + "0000000000000007" + "0162" + "05" + "0166", // unknown question
                "1e0000" + "0000000000000007" + "0162" + "01" + "8120", // name too long
                "1e0000" + "0000000000000007" + "0162" + "03" + "00" + "00" + "0000000000000000" + "00000000",
                "1e0000" + "0000000000000007" + "0162" + "03" + "00" + "00" + "8000000000000000" + "00000001",
                "1e0000" + "0000000000000007" + "0162" + "04" + "00" + "09" + "0000000000000000" + "0000000000000000",
                "1e0000" + "0000000000000007" + "022e2e" + "01" + "00", // not a topic
                "1f0000" + "0000000000000007" + "09", // unknown answer
                "1f0000" + "0000000000000007" + "01" + "02" + "0000000000000005" + "0000000000000006" + "01a4"
                        + "00000000",
                "1f0000" + "0000000000000007" + "04" + "8101", // checksum too long
                "200000" + "0000000000000007" + "ffff" + "00", // unknown error code
                "210000" + "0000000000000007" + "00", // left over
                "210000" + "000000", // cut
                "140001" + "0162" + "0162" + "00" + "00" + "03" + "00"
            })
    void malformedMessagesAreToldSo(String bytes) {
        ByteBuf in = Unpooled.wrappedBuffer(ByteBufUtil.decodeHexDump(bytes));

        assertThatThrownBy(() -> SessionCodec.decode(in)).isInstanceOf(MalformedMessageException.class);
    }

    @Test
    void bytesOfAnyKindAreAMessageOrMalformed() {
        Random random = new Random(30);
        for (int i = 0; i < 50_000; i++) {
            byte[] bytes = new byte[random.nextInt(60)];
            random.nextBytes(bytes);
            if (bytes.length > 12) {
                bytes[0] = (byte) (30 + random.nextInt(4));
                bytes[12] = (byte) random.nextInt(5);
            }
            try {
                SessionCodec.decode(Unpooled.wrappedBuffer(bytes));
                bytes[0] = (byte) (3 + random.nextInt(2));
                StreamHeaderCodec.decode(Unpooled.wrappedBuffer(bytes), 10);
            } catch (MalformedMessageException e) {
                assertThat(e).hasMessageNotContaining("Exception");
            }
        }
    }
}
