package io.hawser.core.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ByteRateTest {
    @ParameterizedTest
    @CsvSource({"10mbit,1250000", "1.5 Gbit/s,187500000", "500kbit,62500", "8bit,1", "5MB/s,5000000", "512KiB/s,524288"
    })
    void usualFormsAreRead(String text, long bytesPerSecond) {
        assertThat(ByteRate.parse(text)).isEqualTo(new ByteRate(bytesPerSecond));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "10",
                "10MB",
                "-1mbit",
                "mbit",
                "0mbit",
                "7bit",
                "0B/s",
                "1,5mbit",
                "1001TB/s",
                "999999999gbit"
            })
    void otherFormsAreRefusedWithTheForms(String text) {
        assertThatThrownBy(() -> ByteRate.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'");
    }
}
