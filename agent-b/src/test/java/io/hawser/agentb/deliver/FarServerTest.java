package io.hawser.agentb.deliver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FarServerTest {
    @ParameterizedTest
    @CsvSource({
        "ftp://host/in/x, FTP, host, 21, anonymous, in/x",
        "ftp://anna@host:2121//data/, FTP, host, 2121, anna, /data",
        "ftps://host/%2Fdata, FTPS, host, 21, anonymous, /data",
        "ftps://host:990/a%20b, FTPS, host, 990, anonymous, a b",
        "gridftp://[::1]/data, GRIDFTP, ::1, 2811, anonymous, /data",
        "ftp://host, FTP, host, 21, anonymous, ''"
    })
    void aUrlSaysAllButThePassword(
            String url, FarServer.Protocol protocol, String host, int port, String user, String directory) {
        assertThat(FarServer.parse(url)).isEqualTo(new FarServer(protocol, host, port, user, directory));
    }

    @Test
    void aPasswordInTheUrlIsRefusedAndNotRepeated() {
        assertThatThrownBy(() -> FarServer.parse("ftp://anna:geheim@host/in"))
                .isInstanceOf(FarServer.PasswordInUrlException.class)
                .hasMessageNotContaining("geheim");
        assertThatThrownBy(() -> FarServer.parse("ftp://anna:geh eim@host/in"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining("geh eim");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"http://host/", "ftp:///dir", "ftp://host/?x", "ftp://host/a%0D%0ADELE%20b", "ftp://@host/"})
    void whatCannotBeMeantIsRefused(String url) {
        assertThatThrownBy(() -> FarServer.parse(url)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aPathIsNoUrl() {
        assertThat(FarServer.isUrl("/data/ftp://x")).isFalse();
        assertThat(FarServer.isUrl("C:relative")).isFalse();
        assertThat(FarServer.isUrl("FTP://host")).isTrue();
    }

    @Test
    void onlyPort990BeginsWithTls() {
        assertThat(FarServer.parse("ftps://host:990/").implicitTls()).isTrue();
        assertThat(FarServer.parse("ftps://host/").implicitTls()).isFalse();
        assertThat(FarServer.parse("ftp://host:990/").implicitTls()).isFalse();
    }
}
