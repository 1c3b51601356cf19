package io.hawser.core.ftp;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Bytes of a control connection, Telnet and all: the result does not depend on how they are cut, no line is longer than the limit,
 * no end of line gets lost, and after any garbage the next command is understood.
 */
class CommandLineFuzzTest {
    private static final int LIMIT = 40;

    @FuzzTest(maxDuration = "2m")
    void lines(byte[] data) {
        CommandLineParser whole = new CommandLineParser(() -> LIMIT);
        List<CommandLineParser.Parsed> lines = parse(whole, data);
        CommandLineParser cut = new CommandLineParser(() -> LIMIT);
        List<CommandLineParser.Parsed> sameLines = new ArrayList<>();
        int from = 0;
        while (from < data.length) {
            int to = Math.min(data.length, from + 1 + (data[from] & 7));
            sameLines.addAll(parse(cut, Arrays.copyOfRange(data, from, to)));
            from = to;
        }
        assertThat(sameLines).isEqualTo(lines);
        assertThat(cut.isBetweenLines()).isEqualTo(whole.isBetweenLines());
        lines.forEach(CommandLineFuzzTest::check);
        // A Telnet option at the end of the garbage may take one byte, so the line end comes twice.
        List<CommandLineParser.Parsed> behind = parse(whole, "\n\nNOOP x\r\n".getBytes(StandardCharsets.US_ASCII));
        assertThat(behind.get(behind.size() - 1))
                .isEqualTo(new CommandLineParser.Parsed.Command(new CommandLine("NOOP", "x")));
    }

    private static List<CommandLineParser.Parsed> parse(CommandLineParser parser, byte[] bytes) {
        List<CommandLineParser.Parsed> all = new ArrayList<>();
        ByteBuf in = Unpooled.wrappedBuffer(bytes);
        for (CommandLineParser.Parsed next = parser.next(in); next != null; next = parser.next(in)) {
            all.add(next);
        }
        assertThat(in.isReadable()).isFalse();
        return all;
    }

    private static void check(CommandLineParser.Parsed parsed) {
        if (parsed instanceof CommandLineParser.Parsed.Command command) {
            String argument = command.line().argument();
            assertThat(argument).doesNotContain("\n");
            assertThat(NameEncoding.encode(argument).length).isLessThanOrEqualTo(LIMIT);
            if (command.line().verb().equals("PASS") && !argument.isEmpty()) {
                assertThat(command.line().toString()).isEqualTo("PASS ****");
            }
        }
    }

    /** Any bytes are a name's text and come back; as a path they stay below the root that an account has. */
    @FuzzTest(maxDuration = "2m")
    void names(byte[] data) throws FtpPath.BadNameException {
        String text = NameEncodingTest.decode(data);
        assertThat(NameEncoding.encode(text)).isEqualTo(data);
        assertThat(new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8))
                .isEqualTo(text);
        FtpPath root = FtpPath.ROOT.resolve("t/home").asRoot();
        FtpPath path;
        try {
            path = root.resolve(text);
        } catch (FtpPath.BadNameException e) {
            assertThat(e.why()).isNotEmpty();
            return;
        }
        assertThat(path.segments().subList(0, 2)).containsExactly("t", "home");
        assertThat(path.segments()).doesNotContain("..", ".", "");
        assertThat(root.resolve(path.toString())).isEqualTo(path);
    }
}
