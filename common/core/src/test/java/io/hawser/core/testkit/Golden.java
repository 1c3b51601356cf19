package io.hawser.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Files in {@code golden} of the test resources, by version. Each was written once by the version that it stands for, and is never written
 * anew: a change of a format is a new version with files of its own. {@code -Dhawser.golden.new=DIR} writes those that are not there yet.
 */
public final class Golden {
    private static final String NEW = "hawser.golden.new";
    private static final String FILE = "== ";
    private static final int LINE_BYTES = 16;

    private Golden() {}

    /** Asserts that this version still writes what stands in a file of lines {@code NAME HEX}. */
    public static void assertWritten(Class<?> test, String file, Map<String, byte[]> written) throws IOException {
        StringBuilder text = new StringBuilder();
        written.forEach((name, bytes) -> text.append(name)
                .append(' ')
                .append(HexFormat.of().formatHex(bytes))
                .append('\n'));
        makeIfMissing(test, file, text.toString());
        assertThat(text.toString()).isEqualTo(text(test, file));
    }

    /** The bytes in such a file, by name. */
    public static Map<String, byte[]> read(Class<?> test, String file) throws IOException {
        Map<String, byte[]> all = new LinkedHashMap<>();
        for (String line : text(test, file).strip().split("\n")) {
            int space = line.indexOf(' ');
            all.put(
                    line.substring(0, space),
                    HexFormat.of().parseHex(line.substring(space + 1).strip()));
        }
        return all;
    }

    /** Writes a directory's files as text, if that text is not there yet; lines that are all zero are left out. */
    public static void keepDirectory(Class<?> test, String file, Path directory) throws IOException {
        StringBuilder text = new StringBuilder();
        List<Path> paths;
        try (Stream<Path> found = Files.walk(directory)) {
            paths = found.filter(Files::isRegularFile).sorted().toList();
        }
        for (Path path : paths) {
            byte[] bytes = Files.readAllBytes(path);
            text.append(FILE)
                    .append(bytes.length)
                    .append(' ')
                    .append(directory.relativize(path))
                    .append('\n');
            for (int at = 0; at < bytes.length; at += LINE_BYTES) {
                String hex = HexFormat.ofDelimiter(" ").formatHex(bytes, at, Math.min(bytes.length, at + LINE_BYTES));
                if (!hex.matches("[0 ]*")) {
                    text.append(String.format("%06x: %s%n", at, hex));
                }
            }
        }
        makeIfMissing(test, file, text.toString());
    }

    /** Makes the files of such a text. Returns them by name. */
    public static Map<String, byte[]> unpack(Class<?> test, String file, Path directory) throws IOException {
        Map<String, byte[]> files = new LinkedHashMap<>();
        byte[] current = {};
        for (String line : text(test, file).strip().split("\n")) {
            if (line.startsWith(FILE)) {
                String[] words = line.split(" ", 3);
                current = new byte[Integer.parseInt(words[1])];
                files.put(words[2], current);
            } else {
                int colon = line.indexOf(':');
                byte[] bytes = HexFormat.of()
                        .parseHex(line.substring(colon + 1).strip().replace(" ", ""));
                System.arraycopy(bytes, 0, current, Integer.parseInt(line.substring(0, colon), 16), bytes.length);
            }
        }
        for (Map.Entry<String, byte[]> entry : files.entrySet()) {
            Path path = directory.resolve(entry.getKey());
            Files.createDirectories(path.getParent());
            Files.write(path, entry.getValue());
        }
        return files;
    }

    /** Whether files that are missing are to be made. */
    public static boolean makesNew() {
        return System.getProperty(NEW) != null;
    }

    private static void makeIfMissing(Class<?> test, String file, String text) throws IOException {
        if (makesNew() && test.getResource("/golden/" + file) == null) {
            Path path = Path.of(System.getProperty(NEW)).resolve(file);
            Files.createDirectories(path.getParent());
            Files.writeString(path, text);
        }
    }

    private static String text(Class<?> test, String file) throws IOException {
        try (InputStream in = test.getResourceAsStream("/golden/" + file)) {
            if (in == null) {
                throw new AssertionError("no golden file " + file);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
