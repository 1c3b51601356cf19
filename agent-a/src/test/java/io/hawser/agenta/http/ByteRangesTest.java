package io.hawser.agenta.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.agenta.download.DownloadWindow.Range;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ByteRangesTest {
    /** Of a file of 100 bytes; the ends are exclusive. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "bytes=0-0 | 0:1",
                "bytes=0-99 | 0:100",
                "bytes=5- | 5:100",
                "bytes=-5 | 95:100",
                "bytes=-500 | 0:100",
                "bytes=90-500 | 90:100",
                "Bytes=1-2, 10-11 ,-1 | 1:3 10:12 99:100",
                "bytes=200-,5-6 | 5:7",
                "bytes=99-99 | 99:100"
            })
    void rangesOfTheFile(String header, String expected) {
        assertThat(text(header)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"bytes=100-", "bytes=100-200", "bytes=-0", "bytes=999999999999999999-"})
    void rangesAfterTheEndAreNone(String header) {
        assertThat(ByteRanges.parse(header, 100)).hasValue(List.of());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "lines=0-1",
                "bytes",
                "bytes=",
                "bytes=-",
                "bytes=5-4",
                "bytes=a-b",
                "bytes=+1-2",
                "bytes=1-2,",
                "bytes=1--2",
                "bytes=0-9999999999999999999",
                "bytes=0-60,40-99"
            })
    void malformedAndOverlappingRangesAreIgnored(String header) {
        assertThat(ByteRanges.parse(header, 100)).isEmpty();
    }

    @Test
    void manyRangesAreIgnored() {
        String some = "bytes=" + "1-1,".repeat(ByteRanges.MAX - 1) + "1-1";
        assertThat(ByteRanges.parse(some, 100).orElseThrow()).hasSize(ByteRanges.MAX);
        assertThat(ByteRanges.parse(some + ",1-1", 100)).isEmpty();
    }

    private static String text(String header) {
        return ByteRanges.parse(header, 100).orElseThrow().stream()
                .map((Range range) -> range.from() + ":" + range.to())
                .collect(Collectors.joining(" "));
    }
}
