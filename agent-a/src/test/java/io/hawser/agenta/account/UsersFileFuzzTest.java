package io.hawser.agenta.account;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.hawser.agenta.custody.CustodyRules;
import io.hawser.core.config.ConfigException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;

/** A users file as somebody edited it: refused with its lines, or written again it says the same. And rules of custody. */
class UsersFileFuzzTest {
    @TempDir
    Path directory;

    @FuzzTest(maxDuration = "1m")
    void file(byte[] data) throws IOException {
        Path path = Files.write(directory.resolve("users"), data);
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-------"));
        UsersFile file = new UsersFile(path);
        Map<String, UserEntry> users;
        try {
            users = file.read();
        } catch (ConfigException e) {
            assertThat(e.getMessage()).contains(path.toString());
            return;
        }
        file.write(users.values());
        assertThat(file.read().values().stream().map(UserEntry::line))
                .containsExactlyElementsOf(
                        users.values().stream().map(UserEntry::line).toList());
    }

    @FuzzTest(maxDuration = "1m")
    void line(byte[] data) {
        String line = new String(data, StandardCharsets.UTF_8);
        UserEntry entry;
        try {
            entry = UserEntry.parse(line);
        } catch (IllegalArgumentException e) {
            assertThat(e.getMessage()).isNotBlank();
            return;
        }
        assertThat(UserEntry.parse(entry.line()).line()).isEqualTo(entry.line());
    }

    @FuzzTest(maxDuration = "1m")
    void custodyRules(byte[] data) {
        try {
            assertThat(CustodyRules.parse(new String(data, StandardCharsets.UTF_8)))
                    .isNotNull();
        } catch (IllegalArgumentException e) {
            assertThat(e.getMessage()).isNotBlank();
        }
    }
}
