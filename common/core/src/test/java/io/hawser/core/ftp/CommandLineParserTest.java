package io.hawser.core.ftp;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CommandLineParserTest {
    private static final int LIMIT = 64;

    private static List<String> parse(byte[] bytes, int chunk) {
        CommandLineParser parser = new CommandLineParser(() -> LIMIT);
        List<String> lines = new ArrayList<>();
        for (int from = 0; from < bytes.length; from += chunk) {
            ByteBuf in = Unpooled.wrappedBuffer(bytes, from, Math.min(chunk, bytes.length - from));
            CommandLineParser.Parsed parsed;
            while ((parsed = parser.next(in)) != null) {
                lines.add(
                        parsed instanceof CommandLineParser.Parsed.Command command
                                ? command.line().verb() + "|" + command.line().argument()
                                : "too long");
            }
            assertThat(in.isReadable()).isFalse();
        }
        return lines;
    }

    private static List<String> parse(String latin1) {
        byte[] bytes = latin1.getBytes(StandardCharsets.ISO_8859_1);
        List<String> whole = parse(bytes, bytes.length);
        for (int chunk = 1; chunk < bytes.length; chunk++) {
            assertThat(parse(bytes, chunk)).as("cut into %s", chunk).isEqualTo(whole);
        }
        return whole;
    }

    @Test
    void linesEndWithLfWithOrWithoutCr() {
        assertThat(parse("USER joe\r\nNOOP\nquit\r\n")).containsExactly("USER|joe", "NOOP|", "QUIT|");
    }

    @Test
    void everythingBehindTheFirstSpaceIsTheArgument() {
        assertThat(parse("STOR  two  spaces \r\n\r\n x\r\n")).containsExactly("STOR| two  spaces ", "|", "|x");
    }

    @Test
    void crNulIsACrWithinTheLine() {
        assertThat(parse("RETR a\r\0\r\n")).containsExactly("RETR|a\r");
    }

    @Test
    void telnetCommandsAreRemoved() {
        assertThat(parse("\u00ff\u00f4\u00ff\u00f2ABOR\r\n")).containsExactly("ABOR|");
        assertThat(parse("\u00ff\u00f4\u00ffABOR\r\n")).containsExactly("ABOR|");
        assertThat(parse("\u00ff\u00fb\u0001NOOP\r\n")).containsExactly("NOOP|");
        assertThat(parse("STOR a\u00ff\u00ffb\r\n")).containsExactly("STOR|a\uf7ffb");
        assertThat(parse("STOR a\u00ffb\r\n")).containsExactly("STOR|a\uf7ffb");
    }

    @Test
    void lineThatDoesNotEndIsReportedAsSoonAsItIsTooLong() {
        CommandLineParser parser = new CommandLineParser(() -> LIMIT);
        ByteBuf more = Unpooled.wrappedBuffer("x".repeat(LIMIT + 1).getBytes(StandardCharsets.US_ASCII));
        assertThat(parser.next(more)).isEqualTo(new CommandLineParser.Parsed.TooLong(LIMIT));
        assertThat(parser.isBetweenLines()).isFalse();
        byte[] mebibyte = new byte[1 << 20];
        int taken = 0;
        CommandLineParser.Parsed parsed = null;
        while (parsed == null && taken < 20) {
            parsed = parser.next(Unpooled.wrappedBuffer(mebibyte));
            taken++;
        }
        assertThat(parsed).isEqualTo(new CommandLineParser.Parsed.Endless());
        assertThat(taken).isBetween(16, 17);
    }

    @Test
    void lineThatIsTooLongIsReportedOnceAndTheNextIsFine() {
        String exactly = "STOR " + "x".repeat(LIMIT - 5);

        assertThat(parse(exactly + "\r\n" + exactly + "y\r\n" + "z".repeat(500) + "\r\nNOOP\r\n"))
                .containsExactly("STOR|" + "x".repeat(LIMIT - 5), "too long", "too long", "NOOP|");
    }

    @Test
    void passwordIsNotShownInLogs() {
        assertThat(CommandLine.of("PASS secret".getBytes(StandardCharsets.UTF_8), 11))
                .hasToString("PASS ****");
        assertThat(CommandLine.of("STOR a".getBytes(StandardCharsets.UTF_8), 6)).hasToString("STOR a");
    }

    @Test
    void randomBytesNeverFailAndTheResultDoesNotDependOnTheCut() {
        Random random = new Random(7);
        byte[] alphabet = {'a', ' ', '\r', '\n', 0, (byte) 0xFF, (byte) 0xF2, (byte) 0xFB, (byte) 0xC3, (byte) 0xA9};
        for (int round = 0; round < 2000; round++) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            int length = random.nextInt(200);
            for (int i = 0; i < length; i++) {
                bytes.write(alphabet[random.nextInt(alphabet.length)]);
            }
            byte[] input = bytes.toByteArray();

            assertThat(parse(input, 1 + random.nextInt(10))).isEqualTo(parse(input, Math.max(1, input.length)));
        }
    }
}
