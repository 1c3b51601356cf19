package io.hawser.core.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class Utf8Test {
    @Test
    void aLengthIsInBytes() {
        assertThat(Utf8.length("a\u00e4\u20ac")).isEqualTo(1 + 2 + 3);
    }

    @Test
    void utf8IsDecodedAlsoWithAReplacementCharacterInIt() {
        String text = "a\u00e4\uFFFD";
        assertThat(Utf8.decode(text.getBytes(StandardCharsets.UTF_8))).isEqualTo(text);
    }

    @Test
    void otherBytesAreRefused() {
        assertThatThrownBy(() -> Utf8.decode(new byte[] {'a', (byte) 0xFF}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("not UTF-8");
    }
}
