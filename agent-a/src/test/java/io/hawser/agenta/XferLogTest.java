package io.hawser.agenta;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.agenta.front.ClientTransfer;
import io.hawser.core.config.ConfigException;
import io.hawser.core.ftp.FtpPath;
import io.hawser.ops.audit.Audit;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class XferLogTest {
    private static final ZonedDateTime ENDED = ZonedDateTime.of(2026, 2, 3, 4, 5, 6, 0, ZoneOffset.UTC);

    private static ClientTransfer transfer(boolean upload, String name, String account, boolean text, String result)
            throws FtpPath.BadNameException {
        return new ClientTransfer(
                upload,
                FtpPath.ROOT.resolve(name),
                account,
                account.equals("anonymous"),
                new InetSocketAddress("192.0.2.1", 5),
                upload ? "key" : "",
                1234,
                Duration.ofMillis(2900),
                text,
                result);
    }

    @Test
    void linesAreThoseOfWuFtpd() throws Exception {
        assertThat(XferLog.line(transfer(true, "dir/a b\tc", "alice", false, Audit.OK), ENDED))
                .isEqualTo("Tue Feb  3 04:05:06 2026 2 192.0.2.1 1234 /dir/a_b_c b _ i r alice ftp 0 * c\n");
        assertThat(XferLog.line(transfer(false, "ü", "anonymous", true, "426 gone"), ENDED))
                .isEqualTo("Tue Feb  3 04:05:06 2026 2 192.0.2.1 1234 /ü a _ o a anonymous ftp 0 * i\n");
    }

    @Test
    void aFileThatWasMovedAwayIsMadeAgain(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("xferlog");
        try (XferLog log = new XferLog(file)) {
            log.ended(transfer(true, "one", "alice", false, Audit.OK));
        }
        Files.move(file, directory.resolve("xferlog.1"));
        try (XferLog log = new XferLog(file)) {
            log.ended(transfer(true, "two", "alice", false, Audit.OK));
            log.ended(transfer(true, "three", "alice", false, Audit.OK));
        }
        assertThat(Files.readAllLines(file)).hasSize(2);
        assertThat(Files.readAllLines(directory.resolve("xferlog.1"))).hasSize(1);
    }

    @Test
    void aFileThatCannotBeWrittenIsRefused(@TempDir Path directory) {
        assertThatThrownBy(() -> new XferLog(directory))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("--xferlog");
    }
}
