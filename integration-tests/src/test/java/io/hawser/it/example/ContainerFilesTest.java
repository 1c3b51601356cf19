package io.hawser.it.example;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What the image is made from, and the password that containers start with. */
class ContainerFilesTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern BASE = Pattern.compile("\\bBASE(?:=|: \\$\\{HAWSER_BASE:-)(debian[^\\s}]*)");
    private static final Pattern PASSWORD = Pattern.compile("(?m)^ *\\w*PASSWORD: *(.*)$");

    private static List<String> found(Pattern pattern, String file) throws IOException {
        String text = Files.readString(ROOT.resolve(file));
        return pattern.matcher(text)
                .results()
                .map((MatchResult each) -> each.group(1))
                .toList();
    }

    /** A tag can be moved to other bytes; a digest cannot. */
    @Test
    void baseImageIsPinnedByItsDigest() throws IOException {
        List<String> ofImage = found(BASE, "Dockerfile");

        assertThat(ofImage).hasSize(1).allMatch(base -> base.matches("debian:[a-z-]+@sha256:[0-9a-f]{64}"));
        assertThat(found(BASE, "docker-compose.yml")).isEqualTo(ofImage);
    }

    /** Unless the operator names one, a random one is made at the first start. */
    @Test
    void thereIsNoDefaultPassword() throws IOException {
        assertThat(found(PASSWORD, "docker-compose.yml")).isNotEmpty().allMatch("${FTP_PASSWORD:-}"::equals);
    }
}
