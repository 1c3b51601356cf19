package io.hawser.core.model;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;

/** Ids, keys, topics and digests as people, files and peers write them: refused in one way, or they say the same again. */
class TextFuzzTest {
    @FuzzTest(maxDuration = "1m")
    void ids(byte[] data) {
        String text = new String(data, StandardCharsets.UTF_8);
        again(text, NodeId::parse);
        again(text, TransferId::parse);
        again(text, TransferKey::parse);
        again(text, Topic::new);
        again(text, TransferDigest::parse);
    }

    private static <T> void again(String text, Function<String, T> parse) {
        T value;
        try {
            value = parse.apply(text);
        } catch (IllegalArgumentException e) {
            return;
        }
        assertThat(parse.apply(value.toString())).isEqualTo(value);
        assertThat(value.toString()).isEqualToIgnoringCase(text);
    }
}
