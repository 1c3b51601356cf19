package io.hawser.it.example;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the documents point at is there: links, and the classes, packages and threads that ARCHITECTURE.md names. */
class DocumentsTest {
    private static final Path ROOT = Path.of("..");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    private static final Pattern CODE = Pattern.compile("`([^`\n]+)`");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");
    /** A class, with the package before it if it is named. */
    private static final Pattern CLASS =
            Pattern.compile("(?<![\\w./-])((?:[a-z]\\w*\\.)*)([A-Z]\\w*[a-z]\\w*)(?![\\w/-])");

    private static final Pattern PACKAGE = Pattern.compile("[a-z]\\w*(\\.[a-z]\\w*)+");
    private static final Pattern DECLARED =
            Pattern.compile("\\b(?:class|interface|enum|record|@interface)\\s+([A-Z]\\w*)");
    private static final Pattern DOCUMENT =
            Pattern.compile("(?:(?<![\\w./-])|(?<=/opt/hawser/))docs/(?:[\\w-]+/)*[\\w-]+\\.md");
    private static final Pattern THREAD = Pattern.compile("\"(hawser-[a-z-]*[a-z])-?\"");
    /** What makes a thread, or a queue or a log that has one. */
    private static final List<String> STARTS_THREADS =
            List.of("new Thread(", "DaemonThreads.", ".serial(", "LogConfig.of(");

    /** Not ours. */
    private static final Set<String> OTHERS = Set.of("SSLEngine", "Socket", "Dockerfile", "Files", "FileChannel");

    private static final Map<String, Set<String>> PACKAGES_BY_CLASS = new HashMap<>();
    private static final Set<String> PACKAGES = new HashSet<>();
    /** Threads that a module starts for a node or a program, with the file that does. */
    private static final Map<String, Path> THREADS = new HashMap<>();

    @BeforeAll
    static void readSources() throws IOException {
        for (Path source : files(".java")) {
            String text = Files.readString(source);
            String name = text.lines()
                    .filter(line -> line.startsWith("package "))
                    .findFirst()
                    .orElse("") // a script, which 'java FILE' runs
                    .replaceAll("package |;", "");
            PACKAGES.add(name);
            matches(DECLARED, text).forEach(found -> PACKAGES_BY_CLASS
                    .computeIfAbsent(found.group(1), unused -> new HashSet<>())
                    .add(name));
            boolean ships = source.toString().contains("/src/main/")
                    && !source.startsWith(ROOT.resolve("integration-tests"))
                    && !source.startsWith(ROOT.resolve("release"))
                    && !source.startsWith(ROOT.resolve("broker/kafka-testkit"));
            if (ships && STARTS_THREADS.stream().anyMatch(text::contains)) {
                matches(THREAD, text).forEach(found -> THREADS.put(found.group(1), source));
            }
        }
        assertThat(PACKAGES_BY_CLASS).containsKeys("HopSender", "DocumentsTest");
        assertThat(THREADS).containsKeys("hawser-index", "hawser-checksum");
    }

    private static List<Path> files(String ending) throws IOException {
        try (Stream<Path> all = Files.walk(ROOT)) {
            return all.filter(path -> path.toString().endsWith(ending)
                            && !path.toString().contains("/target/")
                            && !path.toString().contains("/.git/"))
                    .toList();
        }
    }

    private static List<MatchResult> matches(Pattern pattern, String text) {
        Matcher matcher = pattern.matcher(text);
        return matcher.results().toList();
    }

    private static String architecture() throws IOException {
        return Files.readString(ROOT.resolve("ARCHITECTURE.md"));
    }

    /** Behind a blank line a row is no longer one of the table. */
    @Test
    void noTableIsCutByABlankLine() throws IOException {
        Pattern cut = Pattern.compile("(?m)^\\|.*\\n\\n\\|.*\\n(?!\\|[ :|-]+$)");
        List<String> found = new ArrayList<>();
        for (Path document : files(".md")) {
            matches(cut, Files.readString(document)).forEach(each -> found.add(document + ": " + each.group()));
        }
        assertThat(found).isEmpty();
    }

    @Test
    void everyLinkLeadsToAFileAndAHeadingThatAreThere() throws IOException {
        List<String> dead = new ArrayList<>();
        int looked = 0;
        for (Path document : files(".md")) {
            String prose = Files.readString(document).replaceAll("(?s)```.*?```", "");
            for (MatchResult link : matches(LINK, prose)) {
                String target = link.group(1);
                if (target.matches("(https?|mailto):.*")) {
                    continue;
                }
                looked++;
                String[] parts = target.split("#", 2);
                Path file = parts[0].isEmpty()
                        ? document
                        : document.resolveSibling(parts[0]).normalize();
                if (!Files.exists(file) || (parts.length > 1 && !anchors(file).contains(parts[1]))) {
                    dead.add(document + ": " + target);
                }
            }
        }
        assertThat(dead).isEmpty();
        assertThat(looked).isGreaterThan(50);
    }

    /** Comments, tests, scripts and messages of the programs point at documents too. */
    @Test
    void everyDocumentThatASourceNamesIsThere() throws IOException {
        List<String> missing = new ArrayList<>();
        int looked = 0;
        for (Path source : sources()) {
            for (MatchResult named : matches(DOCUMENT, Files.readString(source))) {
                looked++;
                if (!Files.exists(ROOT.resolve(named.group()))) {
                    missing.add(source + ": " + named.group());
                }
            }
        }
        assertThat(missing).isEmpty();
        assertThat(looked).isGreaterThan(20);
    }

    /** What is text and no document: code, the build, the commands at the top and those of a release. */
    private static List<Path> sources() throws IOException {
        List<Path> sources = new ArrayList<>(files(".java"));
        sources.add(ROOT.resolve("pom.xml"));
        sources.addAll(files(".service"));
        for (String directory :
                List.of("", "release", "release/containers", "integration-tests", "integration-tests/lab.d", ".ci")) {
            try (Stream<Path> scripts = Files.list(ROOT.resolve(directory))) {
                scripts.filter(file -> Files.isRegularFile(file)
                                && !file.getFileName().toString().contains("."))
                        .forEach(sources::add);
            }
        }
        return sources;
    }

    /** A page that grows is two pages: limits in bytes, by the beginning of the path. */
    @Test
    void everyPageKeepsItsSize() throws IOException {
        Map<String, Integer> limits = Map.of(
                "README.md", 9 << 10,
                "CONTRIBUTING.md", 8 << 10,
                "docs/tutorial-", 8 << 10,
                "docs/how-to/", 5 << 10,
                "docs/explanation/", 15 << 10);
        List<String> tooLong = new ArrayList<>();
        for (Path document : files(".md")) {
            String path = ROOT.relativize(document).toString();
            limits.forEach((beginning, limit) -> {
                if (path.startsWith(beginning) && document.toFile().length() > limit) {
                    tooLong.add(path + ": " + document.toFile().length() + " bytes of " + limit);
                }
            });
        }
        assertThat(tooLong).isEmpty();
        assertThat(Files.readAllLines(ROOT.resolve("CHANGELOG.md"))).hasSizeLessThanOrEqualTo(60);
        long all = files(".md").stream()
                .filter(file -> file.startsWith(ROOT.resolve("docs")))
                .mapToLong(file -> file.toFile().length())
                .sum();
        assertThat(all).as("bytes of docs").isLessThanOrEqualTo(200 << 10);
        assertThat(matches(Pattern.compile("(?m)^\\| "), Files.readString(ROOT.resolve("docs/glossary.md"))))
                .as("the glossary's head and nouns")
                .hasSizeLessThanOrEqualTo(41);
    }

    @Test
    void everyMetricIsInTheReferenceAndTheOtherWayRound() throws IOException {
        Pattern literal = Pattern.compile("\"(hawser_[a-z_]+)\"");
        Set<String> names = new HashSet<>();
        for (Path source : files(".java")) {
            if (source.toString().contains("/src/main/") && !source.startsWith(ROOT.resolve("integration-tests"))) {
                matches(literal, Files.readString(source)).forEach(found -> names.add(found.group(1)));
            }
        }
        Set<String> told = matches(
                        Pattern.compile("`(hawser_[a-z_{},]+)`"),
                        Files.readString(ROOT.resolve("docs/reference/metrics.md")))
                .stream()
                .flatMap(found -> expanded(found.group(1)))
                .collect(Collectors.toSet());
        assertThat(told).isEqualTo(names).hasSizeGreaterThan(30);
    }

    /** {@code a_{b,c}_d} means {@code a_b_d} and {@code a_c_d}, as in a shell. */
    private static Stream<String> expanded(String name) {
        Matcher braces = Pattern.compile("\\{([^}]*)}").matcher(name);
        if (!braces.find()) {
            return Stream.of(name);
        }
        String before = name.substring(0, braces.start());
        String after = name.substring(braces.end());
        return Stream.of(braces.group(1).split(",")).flatMap(each -> expanded(before + each + after));
    }

    /** As GitHub makes them of headings. */
    private static Set<String> anchors(Path document) throws IOException {
        return matches(HEADING, Files.readString(document)).stream()
                .map(heading -> heading.group(1)
                        .toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N}_\\- ]", "")
                        .replace(' ', '-'))
                .collect(Collectors.toSet());
    }

    @Test
    void everyClassAndPackageOnTheMapIsThere() throws IOException {
        List<String> missing = new ArrayList<>();
        int looked = 0;
        for (MatchResult code : matches(CODE, architecture())) {
            String text = code.group(1);
            if (text.startsWith("-")) {
                continue; // flags and JVM options
            }
            for (MatchResult found : matches(CLASS, text)) {
                looked++;
                String where = found.group(1).replaceAll("\\.$", "");
                Set<String> packages = PACKAGES_BY_CLASS.getOrDefault(found.group(2), Set.of());
                boolean there = OTHERS.contains(found.group(2))
                        || packages.stream().anyMatch(each -> where.isEmpty() || isCalled(each, where));
                if (!there) {
                    missing.add(text);
                }
            }
            if (PACKAGE.matcher(text).matches() && PACKAGES.stream().noneMatch(each -> isCalled(each, text))) {
                missing.add(text);
            }
        }
        assertThat(missing).isEmpty();
        assertThat(looked).isGreaterThan(100);
    }

    private static boolean isCalled(String whole, String end) {
        return whole.equals(end) || whole.endsWith("." + end);
    }

    @Test
    void everyThreadIsInTheTableWithItsOwner() throws IOException {
        String table = architecture().replaceAll("(?s).*\n## Threads\n|\n## Memory\n.*", "");
        Set<String> told = matches(Pattern.compile("`(hawser-[a-z-]*[a-z])(?:-N|-NAME)?`"), table).stream()
                .map(found -> found.group(1))
                .collect(Collectors.toSet());
        assertThat(told).containsAll(THREADS.keySet());
    }
}
