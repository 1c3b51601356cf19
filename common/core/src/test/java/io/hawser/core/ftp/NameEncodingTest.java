package io.hawser.core.ftp;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class NameEncodingTest {
    static String decode(byte[] bytes) {
        return NameEncoding.decode(bytes, 0, bytes.length);
    }

    @Test
    void utf8IsReadAsUtf8() {
        String name = "caf\u00e9 \u20ac \ud83d\ude80";

        assertThat(decode(name.getBytes(StandardCharsets.UTF_8))).isEqualTo(name);
    }

    @Test
    void bytesThatAreNotUtf8AreEscapedOneByOne() {
        assertThat(decode(new byte[] {'a', (byte) 0xE9, 'b'})).isEqualTo("a\uf7e9b");
        // half a character at the end, a surrogate, an overlong slash
        assertThat(decode(HexFormat.of().parseHex("e282"))).isEqualTo("\uf7e2\uf782");
        assertThat(decode(HexFormat.of().parseHex("c0af"))).doesNotContain("/");
    }

    @Test
    void nameThatContainsAnEscapeCharacterIsEscapedItself() {
        byte[] bytes = "x\uf7e9y\uf77f\uf800".getBytes(StandardCharsets.UTF_8);

        String text = decode(bytes);

        assertThat(text).isEqualTo("x\uf7ef\uf79f\uf7a9y\uf77f\uf800");
        assertThat(NameEncoding.encode(text)).isEqualTo(bytes);
    }

    @Test
    void everyNameComesBackAndDifferentNamesStayDifferent() {
        Random random = new Random(11);
        byte[] alphabet = HexFormat.of().parseHex("61ef9f9ebfa9e9c3a9f09f9a80edc02f");
        Map<String, String> seen = new HashMap<>();
        for (int round = 0; round < 200_000; round++) {
            byte[] bytes = new byte[random.nextInt(9)];
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = alphabet[random.nextInt(alphabet.length)];
            }

            String text = decode(bytes);

            assertThat(NameEncoding.encode(text)).isEqualTo(bytes);
            assertThat(new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8))
                    .as("the text can be stored as UTF-8")
                    .isEqualTo(text);
            String hex = HexFormat.of().formatHex(bytes);
            assertThat(seen.putIfAbsent(text, hex)).isIn(null, hex);
        }
    }
}
