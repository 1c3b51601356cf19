package io.hawser.send;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.hawser.core.model.TransferKey;
import io.hawser.store.storage.FormatTooNewException;
import java.nio.charset.StandardCharsets;

/** A line of {@code sends/}: understood and written again in the same way, taken for none, or refused as a later version's. */
class SendFuzzTest {
    @FuzzTest(maxDuration = "1m")
    void line(byte[] data) throws FormatTooNewException {
        SendResumeEntry event;
        try {
            event = SendResumeEntry.parse(new String(data, StandardCharsets.UTF_8));
        } catch (FormatTooNewException e) {
            assertThat(e).hasMessageContaining("version");
            return;
        }
        if (event == null) {
            return;
        }
        assertThat(TransferKey.parse(event.key())).isNotNull();
        assertThat(event.line()).doesNotContain("\n");
        assertThat(SendResumeEntry.parse(event.line())).isEqualTo(event);
    }
}
