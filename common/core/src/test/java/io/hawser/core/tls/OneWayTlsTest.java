package io.hawser.core.tls;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.core.config.ConfigException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OneWayTlsTest {
    @TempDir
    Path directory;

    @Test
    void saysThatAFileIsNotThere() {
        Path certificates = directory.resolve("ftp.crt");
        assertThatThrownBy(() -> OneWayTls.load(certificates, directory.resolve("ftp.key")))
                .isInstanceOf(ConfigException.class)
                .hasMessage("cannot read " + certificates + ": no such file");
    }
}
