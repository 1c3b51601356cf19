package io.hawser.ops.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DashboardFilesTest {
    private static final Path FILES = Path.of("src/main/resources/io/hawser/ops/dashboard");
    /** What runs or styles beside the files, which the page's content security policy forbids. */
    private static final Pattern INLINE =
            Pattern.compile("<style|<script(?![^>]* src=)|\\sstyle=|\\son[a-z]+=|javascript:");

    private static final Pattern MARKUP =
            Pattern.compile("innerHTML|outerHTML|insertAdjacentHTML|document\\.write|\\beval\\(|new Function");
    private static final Pattern OUTSIDE = Pattern.compile("https?://(?!www\\.w3\\.org/2000/svg)|[\"'(]//");

    private static List<Path> files() throws IOException {
        try (Stream<Path> all = Files.list(FILES)) {
            return all.toList();
        }
    }

    @Test
    void everyFileIsServed() throws IOException {
        List<String> expected = new ArrayList<>(DashboardFiles.NAMES);
        expected.add("page.html");

        assertThat(files())
                .extracting(each -> each.getFileName().toString())
                .containsExactlyInAnyOrderElementsOf(expected);
        assertThat(DashboardFiles.load()).isNotNull();
    }

    @Test
    void noFileHasInlineCodeMarkupFromTextOrAddressesOutside() throws IOException {
        for (Path file : files()) {
            String text = Files.readString(file);
            if (file.toString().endsWith(".html")) {
                assertThat(INLINE.matcher(text).find())
                        .as("inline code in %s", file)
                        .isFalse();
            }
            assertThat(MARKUP.matcher(text).find())
                    .as("markup from text in %s", file)
                    .isFalse();
            assertThat(OUTSIDE.matcher(text).find())
                    .as("address outside in %s", file)
                    .isFalse();
        }
    }

    @Test
    void everyModuleThatIsImportedIsThere() throws IOException {
        Pattern imported = Pattern.compile("from '\\./([a-z]+\\.js)'");
        for (Path file : files()) {
            imported.matcher(Files.readString(file)).results().forEach(found -> assertThat(DashboardFiles.NAMES)
                    .as(file.toString())
                    .contains(found.group(1)));
        }
    }
}
