package io.hawser.it.example;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every test that the documents name is there: its class, and its method. */
class NamedTestsTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");
    private static final Pattern CLASS =
            Pattern.compile("(?:io\\.hawser\\.[\\w.]+\\.)?([A-Z]\\w*(?:Test|IT|Contract))(?:[.#](\\w+))?");
    /** Another method of the class before it on the line. */
    private static final Pattern METHOD = Pattern.compile("…?([a-z]\\w{6,}[A-Z]\\w{6,})");

    private final Map<String, List<String>> sources = new HashMap<>();
    private int looked;

    @Test
    void everyTestThatADocumentNamesIsThere() throws IOException {
        readSources();
        List<String> missing = new ArrayList<>();
        try (Stream<Path> documents = Files.walk(ROOT.resolve("docs"))) {
            for (Path document :
                    documents.filter(file -> file.toString().endsWith(".md")).toList()) {
                for (String line : Files.readAllLines(document)) {
                    missingIn(line).forEach(name -> missing.add(document.getFileName() + ": " + name));
                }
            }
        }
        assertThat(missing).isEmpty();
        assertThat(looked).as("names that were looked for").isGreaterThan(50);
    }

    @Test
    void whatIsNotThereIsTold() throws IOException {
        readSources();
        assertThat(missingIn("| `NamedTestsTest.whatIsNotThereIsTold`, `noSuchMethodAnywhere` | `NoSuchIT` |"))
                .containsExactly("NamedTestsTest.noSuchMethodAnywhere", "NoSuchIT");
        assertThat(missingIn("`NamedTestsTest.noSuchMethodAnywhere`"))
                .containsExactly("NamedTestsTest.noSuchMethodAnywhere");
    }

    private void readSources() throws IOException {
        try (Stream<Path> files = Files.walk(ROOT)) {
            for (Path file : files.filter(path ->
                            path.toString().endsWith(".java") && path.toString().contains("/src/test/"))
                    .toList()) {
                String name = file.getFileName().toString().replace(".java", "");
                sources.computeIfAbsent(name, unused -> new ArrayList<>()).add(Files.readString(file));
            }
        }
    }

    private List<String> missingIn(String line) {
        List<String> missing = new ArrayList<>();
        String type = "";
        Matcher quoted = QUOTED.matcher(line);
        while (quoted.find()) {
            Matcher named = CLASS.matcher(quoted.group(1));
            Matcher more = METHOD.matcher(quoted.group(1));
            String method = null;
            if (named.matches()) {
                type = named.group(1);
                method = named.group(2);
            } else if (!type.isEmpty() && more.matches()) {
                method = more.group(1);
            } else {
                continue;
            }
            looked++;
            if (!(method == null ? sources.containsKey(type) : has(type, method))) {
                missing.add(method == null ? type : type + "." + method);
            }
        }
        return missing;
    }

    /** Whether a class of that name, or one that it extends, has the method. */
    private boolean has(String type, String method) {
        for (String source : sources.getOrDefault(type, List.of())) {
            Matcher parent = Pattern.compile("class " + type + "\\b[^{]*? extends (\\w+)")
                    .matcher(source);
            if (source.contains(" " + method + "(") || (parent.find() && has(parent.group(1), method))) {
                return true;
            }
        }
        return false;
    }
}
