package io.hawser.release.pages;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The documents say what the code says. */
class ReferencePagesTest {
    @Test
    void theReferencePagesAreThoseOfTheCode() throws IOException {
        Path reference = Path.of("../docs/reference");
        for (Map.Entry<String, String> page :
                ReferencePages.of(GeneratePages.commands()).entrySet()) {
            assertThat(Files.readString(reference.resolve(page.getKey())))
                    .as(page.getKey() + "; release/pages makes it anew")
                    .isEqualTo(page.getValue());
        }
    }

    @Test
    void everyCommandHasAManPageWithItsFlags() {
        Map<String, String> pages = ManPages.of(GeneratePages.commands());
        assertThat(pages).containsKeys("hawser.1", "hawser-broker.1", "hawser-keys-init.1");
        assertThat(pages.get("hawser-broker.1"))
                .startsWith(".TH \"HAWSER-BROKER\" 1")
                .contains(".SS Store and space\n", "\\-\\-retain\\-unclaimed=TIME\n", "hawser broker \\-\\-data");
    }

    @Test
    void noLineOfAManPageIsARequestByAccident() {
        for (String page : ManPages.of(GeneratePages.commands()).values()) {
            assertThat(page.lines().filter(line -> line.startsWith(".")))
                    .allMatch(line -> line.matches("\\.(TH|SH|SS|TP|PP|nf|fi|nh|ad|B)( .*)?"));
        }
    }
}
