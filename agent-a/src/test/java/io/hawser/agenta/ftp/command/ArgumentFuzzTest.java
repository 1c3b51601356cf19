package io.hawser.agenta.ftp.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;

/** Arguments of commands that are more than a name; whole sessions are {@link io.hawser.agenta.ftp.SessionFuzzTest}'s. */
class ArgumentFuzzTest {
    @FuzzTest(maxDuration = "1m")
    void numbersTimesAndFacts(byte[] data) {
        String text = new String(data, StandardCharsets.UTF_8);
        DecimalArgument.parse(text).ifPresent(number -> assertThat(number).isBetween(0L, 999_999_999_999_999_999L));
        FtpTime.parse(text).ifPresent(time -> {
            String written = MlstFacts.time(time);
            assertThat(FtpTime.parse(written)).hasValue(Math.floorDiv(time, 1000L) * 1000);
        });
        assertThat(MlstFacts.ALL).containsAll(MlstFacts.select(text));
    }

    /** A pattern, the end of a line, and a name: a pattern takes the name that it is, and a star in its place everything. */
    @FuzzTest(maxDuration = "1m")
    void patterns(byte[] data) {
        String text = new String(data, StandardCharsets.UTF_8);
        int end = Math.max(0, text.indexOf('\n'));
        String name = text.substring(Math.min(text.length(), end + 1));
        GlobPattern pattern = new GlobPattern(text.substring(0, end));
        assertThat(pattern.matches(name)
                        || !pattern.text().equals(name)
                        || GlobPattern.isOne(name)
                        || name.contains("\\"))
                .isTrue();
        assertThat(new GlobPattern("*").matches(name)).isEqualTo(!name.startsWith("."));
        assertThat(new GlobPattern(pattern.text() + "*").matches(name)
                        || !pattern.matches(name)
                        || endsInElement(pattern.text()))
                .isTrue();
    }

    /** An escape or an open bracket takes the star that comes behind it. */
    private static boolean endsInElement(String pattern) {
        return pattern.endsWith("\\") || pattern.indexOf('[') >= 0;
    }
}
