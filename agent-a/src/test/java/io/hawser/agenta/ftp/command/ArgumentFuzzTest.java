package io.hawser.agenta.ftp.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;

/** Arguments of commands that are more than a name; whole sessions are {@link io.hawser.agenta.ftp.SessionFuzzTest}'s. */
class ArgumentFuzzTest {
    @FuzzTest(maxDuration = "1m")
    void numbersTimesAndFacts(byte[] data) {
        String text = new String(data, StandardCharsets.UTF_8);
        Numbers.parse(text).ifPresent(number -> assertThat(number).isBetween(0L, 999_999_999_999_999_999L));
        FtpTime.parse(text).ifPresent(time -> {
            String written = MlstFacts.time(time);
            assertThat(FtpTime.parse(written)).hasValue(Math.floorDiv(time, 1000L) * 1000);
        });
        assertThat(MlstFacts.ALL).containsAll(MlstFacts.select(text));
    }
}
