package io.hawser.agentb.deliver.gsi;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;

/** What a far server says once everything is to be wrapped: nothing that came in clear is ever taken for its reply. */
class UnwrappingReplyInputStreamFuzzTest {
    /** Whatever is read was within tokens; in which pieces it is read makes no difference. */
    @FuzzTest(maxDuration = "2m")
    void replies(byte[] data) {
        byte[] whole = read(data, 8_192);
        assertThat(read(data, 3)).isEqualTo(whole);
        ByteArrayOutputStream within = new ByteArrayOutputStream();
        for (String line : new String(data, StandardCharsets.ISO_8859_1).split("\n", -1)) {
            String token = line.strip().replaceFirst("^63[123][- ]", "");
            if (!line.matches("63[123][- ][A-Za-z0-9+/=]+\\s*")) {
                break;
            }
            try {
                within.writeBytes(Base64.getDecoder().decode(token));
            } catch (IllegalArgumentException e) {
                break; // no base64
            }
        }
        assertThat(Arrays.copyOf(within.toByteArray(), whole.length)).isEqualTo(whole);
    }

    /** All that can be read before the end, or before the connection is given up. */
    private static byte[] read(byte[] data, int pieces) {
        ByteArrayOutputStream read = new ByteArrayOutputStream();
        byte[] piece = new byte[pieces];
        try (UnwrappingReplyInputStream replies =
                new UnwrappingReplyInputStream(new ByteArrayInputStream(data), new OpenExchange())) {
            for (int count = replies.read(piece, 0, pieces); count >= 0; count = replies.read(piece, 0, pieces)) {
                read.write(piece, 0, count);
            }
        } catch (IOException e) {
            assertThat(e.getMessage()).isNotBlank().doesNotContainPattern("\\p{Cntrl}");
        }
        return read.toByteArray();
    }
}
