package io.hawser.core.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.hawser.core.ftp.PortRange;
import io.hawser.core.model.CompletionRule;
import io.hawser.core.transport.Proxies;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.junit.jupiter.api.io.TempDir;

/** A configuration file, and the values in it: each is understood or refused with a sentence. */
class ConfigFuzzTest {
    @TempDir
    Path directory;

    @FuzzTest(maxDuration = "1m")
    void file(byte[] data) throws IOException {
        Path file = Files.write(directory.resolve("hawser.conf"), data);
        try {
            Config.readFile(file)
                    .forEach((name, value) -> assertThat(name + value).isNotNull());
        } catch (ConfigException e) {
            assertThat(e.getMessage()).contains(file.toString());
        }
    }

    @FuzzTest(maxDuration = "1m")
    void values(byte[] data) {
        String text = new String(data, StandardCharsets.UTF_8);
        refusedOr(text, value -> assertThat(ByteSize.parse(value).bytes()).isNotNegative());
        refusedOr(text, value -> {
            HostPort parsed = HostPort.parse(value);
            assertThat(HostPort.parse(parsed.toString())).isEqualTo(parsed);
        });
        refusedOr(text, value -> assertThat(ByteRate.parse(value).bytesPerSecond())
                .isPositive());
        refusedOr(text, value -> assertThat(Proxies.parse(value, null, "")).isNotNull());
        refusedOr(text, value -> {
            PortRange parsed = PortRange.parse(value);
            assertThat(PortRange.parse(parsed.first() + "-" + parsed.last())).isEqualTo(parsed);
        });
        refusedOr(text, value -> {
            CompletionRule parsed = CompletionRule.parse(value);
            assertThat(CompletionRule.parse(parsed.toString())).isEqualTo(parsed);
        });
    }

    private static void refusedOr(String text, Consumer<String> use) {
        try {
            use.accept(text);
        } catch (IllegalArgumentException e) {
            assertThat(e.getMessage()).isNotBlank();
        }
    }
}
