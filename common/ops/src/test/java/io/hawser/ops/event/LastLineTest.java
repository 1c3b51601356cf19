package io.hawser.ops.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class LastLineTest {
    private static String of(String text) throws InterruptedException {
        return new LastLine(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), "test").await();
    }

    @Test
    void theLastLineThatIsNotEmptyIsKept() throws Exception {
        assertThat(of("")).isEmpty();
        assertThat(of("one")).isEqualTo("one");
        assertThat(of("one\n two\r\n\n  \n")).isEqualTo("two");
        assertThat(of("one\ntwo\nthree")).isEqualTo("three");
    }

    @Test
    void itIsShortAndPrintable() throws Exception {
        assertThat(of("a\tb\u001b[31m\u2028\u00fc\n")).isEqualTo("a?b?[31m?\u00fc");
        assertThat(of("one\n" + "x".repeat(1_000_000) + "\n")).isEqualTo("x".repeat(300));
    }
}
