package io.hawser.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ByteSizeTest {
    @ParameterizedTest
    @CsvSource({
        "0,0",
        "4096,4096",
        "64KiB,65536",
        "64k,65536",
        "1GiB,1073741824",
        "1.5 GiB,1610612736",
        "10GB,10000000000",
        "2PiB,2251799813685248",
        "1kB,1000",
        "7B,7",
        "999999999999999999,999999999999999999"
    })
    void usualFormsAreRead(String text, long bytes) {
        assertThat(ByteSize.parse(text).bytes()).isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-1", "GiB", "1 Gibi", "1,5GiB", "0x10", "99999999TiB"})
    void otherFormsAreRefusedWithTheText(String text) {
        assertThatThrownBy(() -> ByteSize.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + text + "'");
    }

    @Test
    void peopleReadAtMostOneDecimal() {
        assertThat(ByteSize.human(0)).isEqualTo("0 B");
        assertThat(ByteSize.human(1536)).isEqualTo("1.5 KiB");
        assertThat(ByteSize.human(256L << 20)).isEqualTo("256 MiB");
        assertThat(ByteSize.human(Long.MAX_VALUE)).isEqualTo("8192 PiB");
    }
}
