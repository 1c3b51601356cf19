package io.hawser.ops.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.hawser.core.config.ConfigException;
import io.hawser.ops.audit.Audit;
import io.hawser.ops.audit.ThrottledAudit;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditLogTest {
    @Test
    void whatAClientSaysStaysOnItsLineAndReachesNoTerminal(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("sub").resolve("audit.log");
        String hostile = "a\n{\"who\":\"root\"}\r\u001b[2J\u009b2J\u2028\"\\ü";
        try (AuditLog log = AuditLog.open(file, "broker")) {
            log.note(hostile, "publish", hostile, "127.0.0.1:1", "ok");
            log.note("x".repeat(100_000), "publish", "t", "-", "ok");
        }
        List<String> lines = Files.readAllLines(file, StandardCharsets.US_ASCII);
        assertThat(lines).hasSize(2).allMatch(line -> line.chars().allMatch(c -> c >= 0x20 && c < 0x7f));
        JsonNode first = Json.tree(lines.get(0).getBytes(StandardCharsets.US_ASCII));
        assertThat(first.get("who").asText()).isEqualTo(hostile);
        assertThat(first.get("object").asText()).isEqualTo(hostile);
        assertThat(lines.get(1)).hasSizeLessThan(2000);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
    }

    @Test
    void aTransferHasItsIdSizeAndDuration(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("audit.log");
        try (Audit log = new ThrottledAudit(AuditLog.open(file, "agent-a"), () -> 0)) {
            log.transfer("a", "STOR", "/x", "127.0.0.1:1", Audit.OK, new Audit.Moved("key", 5_000_000_000L, 70));
            log.transfer("a", "RETR", "/x", "127.0.0.1:1", "426 gone", new Audit.Moved("", 3, 4));
        }
        List<String> lines = Files.readAllLines(file);
        assertThat(lines.get(0)).endsWith("\"result\":\"ok\",\"transfer\":\"key\",\"bytes\":5000000000,\"millis\":70}");
        assertThat(lines.get(1)).endsWith("\"result\":\"426 gone\",\"bytes\":3,\"millis\":4}");
    }

    @Test
    void linesOfEarlierLivesStay(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("audit.log");
        for (int validity = 0; validity < 2; validity++) {
            try (AuditLog log = AuditLog.open(file, "broker")) {
                log.note("a", "b", "c", "d", "ok");
            }
        }
        assertThat(Files.readAllLines(file)).hasSize(2);
        assertThatThrownBy(() -> AuditLog.open(directory, "broker")).isInstanceOf(ConfigException.class);
    }
}
