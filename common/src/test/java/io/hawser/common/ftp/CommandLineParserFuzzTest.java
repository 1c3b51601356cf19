package io.hawser.common.ftp;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Random bytes, rich in what the parser treats in a special way: it never throws, its result does not depend on how the bytes are
 * cut, no line is longer than the limit, and no end of line gets lost.
 */
class CommandLineParserFuzzTest {
    private static final int ROUNDS = Integer.getInteger("hawser.fuzz.rounds", 3000);
    private static final int LIMIT = 40;
    private static final byte[] SPECIAL = {
        '\r',
        '\n',
        '\n',
        0,
        ' ',
        (byte) 0xFF,
        (byte) 0xF4,
        (byte) 0xF2,
        (byte) 0xFB,
        (byte) 0xFE,
        (byte) 0xF0,
        'A',
        '/',
        (byte) 0xC3
    };

    private static byte[] garbage(Random random) {
        byte[] bytes = new byte[random.nextInt(400)];
        random.nextBytes(bytes);
        int share = random.nextInt(5);
        for (int i = 0; i < bytes.length; i++) {
            if (random.nextInt(5) < share) {
                bytes[i] = SPECIAL[random.nextInt(SPECIAL.length)];
            }
        }
        return bytes;
    }

    private static List<CommandLineParser.Parsed> parse(byte[] bytes, Random cuts) {
        CommandLineParser parser = new CommandLineParser(LIMIT);
        List<CommandLineParser.Parsed> all = new ArrayList<>();
        int from = 0;
        while (from < bytes.length) {
            int length = Math.min(bytes.length - from, cuts == null ? bytes.length : 1 + cuts.nextInt(7));
            ByteBuf piece = Unpooled.wrappedBuffer(bytes, from, length);
            CommandLineParser.Parsed parsed;
            while ((parsed = parser.next(piece)) != null) {
                all.add(parsed);
            }
            assertThat(piece.isReadable()).isFalse();
            from += length;
        }
        return all;
    }

    @Test
    void anyBytesAreParsedTheSameHoweverTheyAreCut() {
        for (int seed = 0; seed < ROUNDS; seed++) {
            Random random = new Random(seed);
            byte[] bytes = garbage(random);

            List<CommandLineParser.Parsed> whole = parse(bytes, null);

            assertThat(parse(bytes, random)).as("seed %d", seed).isEqualTo(whole);
            for (CommandLineParser.Parsed parsed : whole) {
                if (parsed instanceof CommandLineParser.Parsed.Command command) {
                    String argument = command.line().argument();
                    assertThat(argument).as("seed %d", seed).doesNotContain("\n");
                    assertThat(NameEncoding.encode(argument).length).isLessThanOrEqualTo(LIMIT);
                    assertThat(command.line().toString()).isNotNull();
                }
            }
        }
    }

    @Test
    void afterAnyGarbageTheNextLineIsUnderstood() {
        for (int seed = 0; seed < ROUNDS; seed++) {
            byte[] garbage = garbage(new Random(seed));
            CommandLineParser parser = new CommandLineParser(LIMIT);
            ByteBuf first = Unpooled.wrappedBuffer(garbage);
            while (parser.next(first) != null) {
                assertThat(first.readableBytes()).isLessThan(garbage.length);
            }
            // A Telnet option at the end of the garbage may take one byte, so the line end comes twice.
            ByteBuf second = Unpooled.copiedBuffer("\n\nNOOP x\r\n", java.nio.charset.StandardCharsets.US_ASCII);
            CommandLineParser.Parsed last = null;
            CommandLineParser.Parsed parsed;
            while ((parsed = parser.next(second)) != null) {
                last = parsed;
            }

            assertThat(last)
                    .as("seed %d", seed)
                    .isEqualTo(new CommandLineParser.Parsed.Command(new CommandLine("NOOP", "x")));
        }
    }
}
