package io.hawser.agenta.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hawser.agenta.namespace.PathFacts;
import io.hawser.core.ftp.FtpPath;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;

class DirectoryPageTest {
    private static final String NASTY = "<script>alert('1')</script>\"&:?#";
    private static final List<PathFacts> ENTRIES = List.of(
            new PathFacts(NASTY, false, 12, 1_700_000_000_000L, 0644, ""), new PathFacts("dir", true, 0, 0, 0755, ""));

    @Test
    void namesAreEscapedInThePage() {
        String page = text(DirectoryPage.lines(new FtpPath(List.of(NASTY)), ENTRIES));

        assertThat(page)
                .doesNotContain("<script")
                .contains("&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&quot;&amp;:?#")
                .contains("href=\"%3Cscript%3Ealert%28%271%27%29%3C%2Fscript%3E%22%26%3A%3F%23\"")
                .contains("<a href=\"dir/\">dir/</a>")
                .contains("<a href=\"../\">")
                .contains("2023-11-14 22:13:20");
    }

    @Test
    void jsonHasEachEntry() throws Exception {
        JsonNode entries =
                new ObjectMapper().readTree(text(DirectoryJson.lines(ENTRIES))).get("entries");

        assertThat(entries).hasSize(2);
        assertThat(entries.get(0).get("name").asText()).isEqualTo(NASTY);
        assertThat(entries.get(0).get("size").asLong()).isEqualTo(12);
        assertThat(entries.get(0).get("modified").asText()).isEqualTo("2023-11-14T22:13:20Z");
        assertThat(entries.get(1).get("href").asText()).isEqualTo("dir/");
        assertThat(entries.get(1).has("size")).isFalse();
    }

    @Test
    void emptyDirectoryIsAWholePage() throws Exception {
        assertThat(text(DirectoryPage.lines(FtpPath.ROOT, List.of())))
                .endsWith("</html>\n")
                .doesNotContain("../");
        assertThat(new ObjectMapper()
                        .readTree(text(DirectoryJson.lines(List.of())))
                        .get("entries"))
                .isEmpty();
    }

    private static String text(Iterator<String> lines) {
        StringBuilder all = new StringBuilder();
        lines.forEachRemaining(line -> all.append(line).append('\n'));
        return all.toString();
    }
}
