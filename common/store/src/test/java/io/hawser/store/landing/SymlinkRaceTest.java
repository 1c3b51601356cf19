package io.hawser.store.landing;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.model.Attributes;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.TransferKind;
import io.hawser.store.storage.DiskStorage;
import io.hawser.store.storage.Storage;
import io.hawser.store.testkit.Interposed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Somebody who may write below the root puts a symbolic link in the place of a directory, after it was looked at and at the very
 * moment of the call that counts: what the link leads to stays as it is.
 */
class SymlinkRaceTest {
    private static final byte[] BYTES = LandingRig.bytes(1, 100);
    private static final String SECRET = "not for those below the root";
    private static final FileTime TIME = FileTime.fromMillis(1_000_000_000_000L);

    @TempDir
    Path directory;

    private Path root;
    private Path area;
    private Path outside;
    private Path taken;

    @BeforeEach
    void prepare() throws IOException {
        root = Files.createDirectory(directory.resolve("root"));
        area = Files.createDirectory(root.resolve(".area"));
        Files.createDirectory(root.resolve("d"));
        outside = Files.createDirectory(directory.resolve("outside"));
        taken = directory.resolve("taken");
        for (Path place : List.of(root.resolve("d"), outside)) {
            Files.writeString(place.resolve("f"), place.equals(outside) ? SECRET : "delivered before");
            Files.setPosixFilePermissions(place.resolve("f"), PosixFilePermissions.fromString("rw-r--r--"));
            Files.setLastModifiedTime(place.resolve("f"), TIME);
        }
    }

    private void swap() throws IOException {
        Files.move(root.resolve("d"), taken);
        Files.createSymbolicLink(root.resolve("d"), outside);
    }

    /** Swaps once, before that call on something below the directory. */
    private Storage swappingAt(String call) {
        boolean[] done = {false};
        return Interposed.before(new DiskStorage(), (method, arguments, real) -> {
            boolean concerns = arguments.length > 0
                    && arguments[arguments[0] instanceof Path && method.equals("rename") ? 1 : 0] instanceof Path path
                    && path.startsWith(root.resolve("d"));
            if (method.equals(call) && concerns && !done[0]) {
                done[0] = true;
                swap();
            }
            return real.call();
        });
    }

    private DeliveryOutcome deliver(Storage storage, TransferKind kind, String name, Map<String, String> attributes)
            throws IOException {
        Manifest manifest = LandingRig.manifest(1, kind, name, kind.hasBytes() ? BYTES.length : 0, attributes);
        Path part = area.resolve("1.part");
        if (kind.hasBytes()) {
            Files.write(part, BYTES);
        }
        List<DeliveryOutcome> results = new ArrayList<>();
        new DirectoryTarget(storage, root)
                .deliver(
                        List.of(new VerifiedObject(
                                manifest, LandingRig.commitOf(kind.hasBytes() ? BYTES : new byte[0]), part, false)),
                        results::add);
        assertThat(results).hasSize(1);
        return results.get(0);
    }

    private void assertOutsideIsAsItWas() throws IOException {
        assertThat(Files.isSymbolicLink(root.resolve("d")))
                .as("the swap was made")
                .isTrue();
        try (var files = Files.list(outside)) {
            assertThat(files).containsExactly(outside.resolve("f"));
        }
        assertThat(outside.resolve("f")).hasContent(SECRET);
        assertThat(Files.getLastModifiedTime(outside.resolve("f"))).isEqualTo(TIME);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(outside.resolve("f"))))
                .isEqualTo("rw-r--r--");
    }

    @ParameterizedTest
    @CsvSource({
        "FILE, d/new, rename",
        "FILE, d/f, rename",
        "DELETE, d/f, delete",
        "RENAME, d/f, rename",
        "SET_TIME, d/f, setModified",
        "SET_MODE, d/f, setMode",
    })
    void whatIsDoneBehindTheSwapIsNotDoneOutside(TransferKind kind, String name, String call) throws IOException {
        DeliveryOutcome delivery = deliver(
                swappingAt(call),
                kind,
                name,
                Map.of(
                        Attributes.RENAMED_TO,
                        "d/other",
                        Attributes.MODIFIED_MILLIS,
                        "1234567890000",
                        Attributes.MODE,
                        "600"));

        assertThat(delivery).isNotInstanceOf(DeliveryOutcome.Delivered.class);
        assertOutsideIsAsItWas();
        assertThat(deliver(new DiskStorage(), TransferKind.FILE, "d/again", Map.of()))
                .as("now that it is seen")
                .isInstanceOf(DeliveryOutcome.Refused.class);
        assertOutsideIsAsItWas();
    }

    @Test
    void aPatchReadsNothingFromOutside() throws IOException {
        DeliveryOutcome delivery = deliver(
                swappingAt("open"),
                TransferKind.PATCH,
                "d/f",
                Map.of(
                        Attributes.BASE_SIZE,
                        Integer.toString("delivered before".getBytes(StandardCharsets.UTF_8).length),
                        Attributes.OFFSET,
                        "0"));

        assertThat(delivery).isNotInstanceOf(DeliveryOutcome.Delivered.class);
        assertOutsideIsAsItWas();
        try (var files = Files.walk(root)) {
            assertThat(files.filter(Files::isRegularFile)).noneMatch(file -> contains(file, SECRET.substring(0, 10)));
        }
    }

    private static boolean contains(Path file, String text) {
        try {
            return Files.readString(file, StandardCharsets.ISO_8859_1).contains(text);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aDirectoryThatIsMadeElsewhereIsNotTakenForTheOneThatWasMeant() throws IOException {
        DeliveryOutcome delivery =
                deliver(swappingAt("createDirectories"), TransferKind.FILE, "d/deeper/file", Map.of());

        assertThat(delivery).isNotInstanceOf(DeliveryOutcome.Delivered.class);
        assertThat(outside.resolve("deeper/file")).doesNotExist();
    }

    /** The directory stays open from one object to the next: what comes behind the swap goes where the directory went. */
    @Test
    void ofSeveralObjectsNoneArrivesOutsideEither() throws Exception {
        List<VerifiedObject> objects = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Path part = area.resolve(i + ".part");
            Files.write(part, BYTES);
            Manifest manifest = LandingRig.manifest(i + 1, TransferKind.FILE, "d/n" + i, BYTES.length, Map.of());
            objects.add(new VerifiedObject(manifest, LandingRig.commitOf(BYTES), part, false));
        }
        int[] renames = {0};
        Storage storage = Interposed.before(new DiskStorage(), (method, arguments, real) -> {
            if (method.equals("rename") && ++renames[0] == 2) {
                swap();
            }
            return real.call();
        });
        List<DeliveryOutcome> results = new ArrayList<>();

        new DirectoryTarget(storage, root).deliver(objects, results::add);

        assertThat(results).hasSize(3);
        assertOutsideIsAsItWas();
        assertThat(taken.resolve("n0")).hasBinaryContent(BYTES);
    }

    /** Without a hook: the swap goes on all the time, and deliveries too. */
    @Test
    void howeverOftenItIsSwappedNothingArrivesOutside() throws Exception {
        Path empty = Files.createDirectory(directory.resolve("empty"));
        AtomicBoolean stop = new AtomicBoolean();
        Thread swapping = new Thread(() -> {
            Path d = root.resolve("d");
            Path link = directory.resolve("link");
            try {
                for (int i = 0; !stop.get() || i % 2 == 1; i++) {
                    if (i % 2 == 0) {
                        Files.move(d, taken);
                        Files.createSymbolicLink(link, empty);
                        Files.move(link, d);
                    } else {
                        Files.delete(d);
                        Files.move(taken, d);
                    }
                }
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        swapping.start();
        int delivered = 0;
        try {
            for (int i = 0; i < 300; i++) {
                if (deliver(new DiskStorage(), TransferKind.FILE, "d/f" + i, Map.of())
                        instanceof DeliveryOutcome.Delivered) {
                    delivered++;
                }
            }
        } finally {
            stop.set(true);
            swapping.join();
        }

        try (var files = Files.list(empty)) {
            assertThat(files).isEmpty();
        }
        assertThat(delivered).isPositive();
    }
}
