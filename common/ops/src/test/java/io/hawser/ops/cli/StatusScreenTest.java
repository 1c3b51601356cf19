package io.hawser.ops.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.ops.observe.HopStatus;
import io.hawser.ops.observe.TransferPage;
import io.hawser.ops.observe.TransferStatus;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StatusScreenTest {
    private static final long MIB = 1 << 20;
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    private final TransferRates rates = new TransferRates();
    private final StatusScreen screen = new StatusScreen("127.0.0.1:7480", new TransferFilter(), rates);

    private static String key(int number) {
        return "%032x-%032x".formatted(1, number);
    }

    private static HopStatus hop(String name, long bytes, String reason) {
        return new HopStatus(name, "sending", new HopStatus.Bytes(bytes, bytes, 0, MIB, 0), reason);
    }

    private static TransferStatus transfer(int number, String state, long in, long out, String reason) {
        return new TransferStatus(
                key(number),
                new TransferStatus.TransferredObject("site-b", "photos/" + number, "file", 100 * MIB, MIB),
                state,
                1,
                List.of(hop(HopStatus.PUBLISHER_TO_BROKER, in, ""), hop("broker->b", out, reason)),
                List.of());
    }

    private List<String> show(TerminalDevice.Size size, TransferStatus... transfers) {
        TransferPage page = new TransferPage("broker", List.of(transfers), false, 0, List.of());
        return screen.lines(page, "", size);
    }

    private static TerminalDevice.Size size(int columns, int rows) {
        return new TerminalDevice.Size(columns, rows);
    }

    @Test
    void whatMovesIsFirstWithItsRate() {
        rates.add(0, List.of(transfer(2, "receiving", 0, 0, "")));
        TransferStatus moving = transfer(2, "receiving", 50 * MIB, 25 * MIB, "the disk is \u001bfull");
        TransferStatus ended = transfer(3, "delivered", 100 * MIB, 100 * MIB, "");
        rates.add(SECOND, List.of(ended, moving));
        List<String> lines = show(size(80, 10), ended, moving);
        assertThat(lines)
                .hasSize(10)
                .startsWith(
                        "broker 127.0.0.1:7480   1 open of 2   in 52.4 MB/s   out 26.2 MB/s",
                        "",
                        "ID        STATE           SIZE    IN   OUT        RATE  TOPIC:NAME",
                        "00000002  receiving    100 MiB   50%   25%   52.4 MB/s  site-b:photos/2",
                        "          broker->b: the disk is ?full",
                        "00000003  delivered    100 MiB  100%  100%              site-b:photos/3")
                .endsWith("q: quit");
    }

    @Test
    void itNeverIsLargerThanTheScreen() {
        TransferStatus[] many = IntStream.range(0, 50)
                .mapToObj(
                        i -> transfer(i, "receiving", i * MIB, 0, "waits for something that has a long name".repeat(4)))
                .toArray(TransferStatus[]::new);
        rates.add(0, List.of(many));
        for (TerminalDevice.Size size : List.of(size(80, 24), size(30, 5), size(200, 60), size(1, 1))) {
            assertThat(show(size, many))
                    .hasSizeLessThanOrEqualTo(size.rows())
                    .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(Math.max(1, size.columns() - 1)));
        }
    }

    @Test
    void whatDoesNotFitIsCounted() {
        TransferStatus[] many = IntStream.range(0, 50)
                .mapToObj(i -> transfer(i, "receiving", i * MIB, 0, ""))
                .toArray(TransferStatus[]::new);
        rates.add(0, List.of(many));
        assertThat(show(size(80, 24), many)).endsWith("q: quit   30 more lines do not fit");
    }

    @Test
    void aNodeThatDoesNotAnswerIsNamed() {
        rates.add(0, List.of());
        TransferPage page = new TransferPage("broker", List.of(), false, 0, List.of());
        assertThat(screen.lines(page, "no answer", size(80, 24))).contains("! no answer", "no transfers");
    }

    @Test
    void idsAreAsLongAsTheyMustBe() {
        String one = "a".repeat(20) + "12345678";
        String other = "a".repeat(19) + "b12345678";
        assertThat(ShortIds.of(List.of(one)).of(one)).isEqualTo("12345678");
        assertThat(ShortIds.of(List.of(one, other)).of(one)).isEqualTo("a12345678");
        assertThat(ShortIds.of(List.of(one, one)).of(one)).isEqualTo("12345678");
        assertThat(ShortIds.of(List.of("6f:1", one)).of("6f:1")).isEqualTo("6f:1");
    }

    @Test
    void sentencesAreBrokenBetweenWords() {
        assertThat(TerminalText.wrap("warning: one two three", 14, 4)).containsExactly("warning: one", "    two three");
        assertThat(TerminalText.wrap("short", 14, 4)).containsExactly("short");
        assertThat(TerminalText.wrap("x".repeat(30), 14, 4))
                .as("no place to break")
                .hasSize(1);
    }

    @Test
    void theSizeIsReadFromStty() {
        assertThat(TerminalDevice.parse("24 80\n")).isEqualTo(size(80, 24));
        assertThat(TerminalDevice.parse("0 0")).isEqualTo(size(0, 0));
        assertThat(TerminalDevice.parse("stty: no")).isEqualTo(size(0, 0));
    }
}
