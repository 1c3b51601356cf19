package io.hawser.core.access;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.hawser.core.config.ConfigException;
import io.hawser.core.model.Topic;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** An ACL file as somebody edited it, and rights as they are written down: what is read gives no more than what it says. */
class AccessFuzzTest {
    private static final Topic TOPIC = new Topic("site-b");

    @TempDir
    static Path directory;

    @FuzzTest(maxDuration = "2m")
    void file(byte[] data) throws IOException {
        Path path = Files.write(directory.resolve("acl"), data);
        ReloadingAccessFile file;
        try {
            file = ReloadingAccessFile.open(path);
        } catch (ConfigException e) {
            assertThat(e.getMessage()).contains(path.toString()).containsPattern("line \\d+: .+|not text in UTF-8");
            return;
        }
        String text = new String(data, StandardCharsets.UTF_8);
        Grants grants = file.rules().of(new Identity("CN=berlin,OU=agent-a", "agent-a", "berlin", null, null));
        for (Right right : Right.values()) {
            boolean isNamed = text.contains(right.word()) || text.contains("all");
            assertThat(isNamed || !grants.allow(right, TOPIC)).as("%s", right).isTrue();
        }
        assertThat(Grants.parse(grants.toString())).isEqualTo(grants);
        assertThat(file.rules().of(Identity.UNKNOWN).lines()).isSubsetOf(grants.lines());
    }

    @FuzzTest(maxDuration = "1m")
    void grants(byte[] data) {
        Grants grants;
        try {
            grants = Grants.parse(new String(data, StandardCharsets.UTF_8));
        } catch (IllegalArgumentException e) {
            assertThat(e.getMessage()).isNotBlank();
            return;
        }
        assertThat(Grants.parse(grants.toString())).isEqualTo(grants);
        assertThat(grants.and(Grants.NONE)).isEqualTo(grants);
    }
}
