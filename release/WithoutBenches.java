import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/**
 * Copies a jar without the benchmarks: they are for those who work on Hawser, and a release holds what its users run.
 *
 * <pre>    java release/WithoutBenches.java FROM.jar TO.jar</pre>
 *
 * <p>Entries keep their order and time, so that the same jar gives the same bytes.
 */
final class WithoutBenches {
    private static final String PATH = "io/hawser/it/bench/";
    private static final String PACKAGE = "io.hawser.it.bench.";
    private static final String COMMANDS = "META-INF/services/io.hawser.common.cli.HawserCommand";

    private WithoutBenches() {}

    public static void main(String[] arguments) throws IOException {
        try (ZipFile from = new ZipFile(arguments[0]);
                OutputStream file = Files.newOutputStream(Path.of(arguments[1]));
                ZipOutputStream to = new ZipOutputStream(file)) {
            for (ZipEntry entry : Collections.list(from.entries())) {
                if (!entry.getName().startsWith(PATH)) {
                    ZipEntry copy = new ZipEntry(entry.getName());
                    copy.setTimeLocal(entry.getTimeLocal());
                    to.putNextEntry(copy);
                    to.write(content(from, entry));
                    to.closeEntry();
                }
            }
        }
    }

    private static byte[] content(ZipFile jar, ZipEntry entry) throws IOException {
        try (InputStream in = jar.getInputStream(entry)) {
            byte[] bytes = in.readAllBytes();
            return entry.getName().equals(COMMANDS) ? withoutBenches(bytes) : bytes;
        }
    }

    private static byte[] withoutBenches(byte[] services) {
        return new String(services, StandardCharsets.UTF_8)
                .lines()
                .filter(line -> !line.startsWith(PACKAGE))
                .map(line -> line + "\n")
                .collect(Collectors.joining())
                .getBytes(StandardCharsets.UTF_8);
    }
}
