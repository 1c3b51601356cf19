package io.hawser.agentb.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.remote.ChecksumAlgorithm;
import io.hawser.core.remote.Question;
import io.hawser.core.remote.RemoteFile;
import io.hawser.core.remote.RemoteFileCodec;
import io.hawser.core.remote.RemoteFiles;
import io.hawser.core.testkit.Program;
import io.hawser.store.storage.DiskStorage;
import io.hawser.store.storage.FileFacts;
import io.hawser.store.storage.FileTimeHistory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DirectoryFilesTest {
    private static final Refusal MISSING = new Refusal(ErrorCode.NOT_FOUND, "No such file or directory");
    private static final Refusal OUT = new Refusal(ErrorCode.NOT_ALLOWED, RemoteFiles.LEADS_OUT);
    private static final Refusal DENIED = new Refusal(ErrorCode.NOT_ALLOWED, "Permission denied");

    @TempDir
    Path directory;

    private final FileTimeHistory timeChanges = new FileTimeHistory();
    private Path root;
    private DirectoryFiles files;

    @BeforeEach
    void fill() throws IOException {
        root = Files.createDirectories(directory.resolve("root"));
        Files.createDirectories(root.resolve("sub/deep"));
        Files.writeString(root.resolve("sub/file"), "0123456789");
        Files.writeString(directory.resolve("secret"), "secret");
        files = new DirectoryFiles(root, timeChanges, 10);
    }

    private Refusal refusalOf(String name) {
        return files.stat(name).refusal();
    }

    private Outcome<RemoteFile> read(String name, String fingerprint, long offset, ByteBuffer into) {
        return files.read(new Question.Read(name, fingerprint, offset, into.remaining()), into);
    }

    private static String text(ByteBuffer bytes) {
        return StandardCharsets.UTF_8.decode(bytes.flip()).toString();
    }

    @Test
    void readerGoesOnWhenTheTimeIsSetHereAndNotWhenItChangesOtherwise() throws Exception {
        Path file = root.resolve("sub/file");
        FileFacts before = Objects.requireNonNull(new DiskStorage().facts(file));
        String asked = files.stat("sub/file").get().fingerprint();
        Files.setLastModifiedTime(file, FileTime.fromMillis(1_000));
        assertThat(read("sub/file", asked, 0, ByteBuffer.allocate(5)).refusal())
                .extracting(Refusal::code)
                .isEqualTo(ErrorCode.SOURCE_CHANGED);

        timeChanges.change(before, () -> new DiskStorage().facts(file));

        ByteBuffer bytes = ByteBuffer.allocate(5);
        assertThat(read("sub/file", asked, 3, bytes).isRefused()).isFalse();
        assertThat(text(bytes)).isEqualTo("34567");
    }

    @Test
    void statTellsWhatLsTells() throws IOException {
        Path file = root.resolve("sub/file");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-x--x"));
        Files.setLastModifiedTime(file, FileTime.fromMillis(1_234_567_891_234L));

        RemoteFile told = files.stat("sub/file").get();
        RemoteFile top = files.stat("").get();

        assertThat(told.name()).isEqualTo("file");
        assertThat(told.sizeBytes()).isEqualTo(10);
        assertThat(told.modifiedMillis()).isEqualTo(1_234_567_891_234L);
        assertThat(told.mode()).isEqualTo(0651);
        assertThat(told.isDirectory()).isFalse();
        assertThat(told.fingerprint()).isNotEmpty();
        assertThat(top.isDirectory()).isTrue();
        assertThat(top.name()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"..", "sub/../../secret", "sub//file", "/sub", ".", "sub/", "a\0b"})
    void namesThatAreNotBelowTheRootAreBad(String name) {
        assertThat(refusalOf(name)).isEqualTo(new Refusal(ErrorCode.BAD_NAME, "Invalid argument"));
    }

    @Test
    void linksInsideAreFollowedAndThoseThatLeadOutAreNot() throws IOException {
        Files.createSymbolicLink(root.resolve("inside"), Path.of("sub/file"));
        Files.createSymbolicLink(root.resolve("absolute"), root.resolve("sub"));
        Files.createSymbolicLink(root.resolve("out"), Path.of("../secret"));
        Files.createSymbolicLink(root.resolve("up"), Path.of(".."));
        Files.createSymbolicLink(root.resolve("dangling"), Path.of("nowhere"));
        Files.createSymbolicLink(root.resolve("loop"), Path.of("loop"));

        assertThat(files.stat("inside").get().sizeBytes()).isEqualTo(10);
        assertThat(files.stat("absolute/file").get().sizeBytes()).isEqualTo(10);
        assertThat(refusalOf("out")).isEqualTo(OUT);
        assertThat(refusalOf("up/secret")).isEqualTo(OUT);
        assertThat(read("up/secret", "", 0, ByteBuffer.allocate(10)).refusal()).isEqualTo(OUT);
        assertThat(files.list("up", "", ByteBuffer.allocate(1000)).refusal()).isEqualTo(OUT);
        assertThat(refusalOf("dangling")).isEqualTo(MISSING);
        assertThat(refusalOf("loop")).hasFieldOrPropertyWithValue("detail", "Too many levels of symbolic links");
        assertThat(names("")).containsExactly("absolute", "inside", "sub");
    }

    @Test
    void aRootThatIsALinkIsFollowed() throws IOException {
        Path link = Files.createSymbolicLink(directory.resolve("link"), root);

        RemoteFile file = new DirectoryFiles(link, timeChanges).stat("sub/file").get();
        assertThat(file.sizeBytes()).isEqualTo(10);
        assertThat(file.isBelowLink()).isFalse();
    }

    private int walk(String directory) {
        int found = 0;
        for (String name : names(directory)) {
            found++;
            String path = directory.isEmpty() ? name : directory + "/" + name;
            assertThat(path.length()).as(path).isLessThan(100);
            if (files.stat(path).get().isDirectory()) {
                found += walk(path);
            }
        }
        return found;
    }

    /** As mirrors do, to whom links are shown as what they lead to. */
    @Test
    void whoWalksThroughATreeWithLinksThatLeadBackComesToAnEnd() throws IOException {
        Files.createSymbolicLink(root.resolve("here"), Path.of("."));
        Files.createSymbolicLink(root.resolve("sub/deep/up"), Path.of("../.."));
        Files.createSymbolicLink(root.resolve("sub/deep/beside"), Path.of("../other"));
        Files.createDirectories(root.resolve("sub/other"));
        Files.createSymbolicLink(root.resolve("sub/other/back"), Path.of("../deep"));
        Files.createSymbolicLink(root.resolve("to-sub"), Path.of("sub"));

        assertThat(names("")).containsExactly("sub", "to-sub");
        assertThat(names("sub/deep")).containsExactly("beside");
        assertThat(names("sub/deep/beside")).isEmpty();
        assertThat(files.stat("here/sub/file").get().sizeBytes()).isEqualTo(10);
        assertThat(walk("")).isLessThan(40);
    }

    @Test
    void whatIsReachedByALinkSaysSoAndIsTheSameFile() throws IOException {
        Files.createSymbolicLink(root.resolve("file"), Path.of("sub/file"));
        Files.createSymbolicLink(root.resolve("dir"), Path.of("sub"));
        Files.createSymbolicLink(root.resolve("here"), Path.of("."));
        RemoteFile plain = files.stat("sub/file").get();
        assertThat(plain.isLink() || plain.isBelowLink()).isFalse();
        for (String link : List.of("file", "dir", "here")) {
            assertThat(files.stat(link).get())
                    .as(link)
                    .matches(RemoteFile::isLink)
                    .matches(file -> !file.takesPatches());
        }
        for (String below : List.of("dir/file", "here/sub/file", "here/dir/file", "here/file", "dir/deep")) {
            RemoteFile file = files.stat(below).get();
            assertThat(file).as(below).matches(RemoteFile::isBelowLink).matches(found -> !found.takesPatches());
            if (!file.isDirectory()) {
                assertThat(RemoteFile.withoutLinks(file.fingerprint())).isEqualTo(plain.fingerprint());
                assertThat(read("sub/file", file.fingerprint(), 0, ByteBuffer.allocate(5))
                                .isRefused())
                        .isFalse();
                assertThat(read(below, file.fingerprint(), 0, ByteBuffer.allocate(5))
                                .isRefused())
                        .isFalse();
            }
        }
    }

    @Test
    void landingDirectoriesAreNotThere() throws IOException {
        Path landing = Files.createDirectories(root.resolve(".hawser-landing-site-b"));
        Files.writeString(landing.resolve("part"), "x");
        Files.createSymbolicLink(root.resolve("window"), landing);

        assertThat(refusalOf(".hawser-landing-site-b")).isEqualTo(MISSING);
        assertThat(refusalOf(".hawser-landing-site-b/part")).isEqualTo(MISSING);
        assertThat(refusalOf("window/part")).isEqualTo(MISSING);
        assertThat(names("")).containsExactly("sub");
    }

    @Test
    void pipesAndDevicesAreNotAllowed() throws Exception {
        Program.needs("mkfifo");
        Path pipe = root.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();

        assertThat(refusalOf("pipe")).isEqualTo(DENIED);
        assertThat(read("pipe", "", 0, ByteBuffer.allocate(1)).refusal()).isEqualTo(DENIED);
        assertThat(files.list("pipe", "", ByteBuffer.allocate(1)).refusal()).isEqualTo(DENIED);
        assertThat(names("")).containsExactly("sub");
    }

    @Test
    void errorsSayWhatPosixSays() throws IOException {
        assertThat(refusalOf("nothing")).isEqualTo(MISSING);
        assertThat(refusalOf("sub/file/below")).isEqualTo(new Refusal(ErrorCode.NOT_DIRECTORY, "Not a directory"));
        assertThat(files.list("sub/file", "", ByteBuffer.allocate(9)).refusal())
                .isEqualTo(new Refusal(ErrorCode.NOT_DIRECTORY, "Not a directory"));
        assertThat(read("sub", "", 0, ByteBuffer.allocate(1)).refusal())
                .isEqualTo(new Refusal(ErrorCode.IS_DIRECTORY, "Is a directory"));
        assertThat(refusalOf("x".repeat(300))).isEqualTo(new Refusal(ErrorCode.BAD_NAME, "File name too long"));
        assumeFalse("root".equals(System.getProperty("user.name")), "root may read everything");
        Files.setPosixFilePermissions(root.resolve("sub/file"), PosixFilePermissions.fromString("---------"));
        assertThat(read("sub/file", "", 0, ByteBuffer.allocate(1)).refusal()).isEqualTo(DENIED);
    }

    @Test
    void readsGiveTheRangeAndLessOnlyAtTheEnd() {
        ByteBuffer middle = ByteBuffer.allocate(4);
        ByteBuffer tail = ByteBuffer.allocate(100);
        ByteBuffer behind = ByteBuffer.allocate(100);

        RemoteFile file = read("sub/file", "", 3, middle).get();
        read("sub/file", file.fingerprint(), 8, tail).get();
        read("sub/file", file.fingerprint(), 1L << 40, behind).get();

        assertThat(text(middle)).isEqualTo("3456");
        assertThat(text(tail)).isEqualTo("89");
        assertThat(behind.position()).isZero();
    }

    @Test
    void aFileThatChangedOrWasReplacedIsRefused() throws IOException {
        Path file = root.resolve("sub/file");
        String before = files.stat("sub/file").get().fingerprint();
        FileTime time = Files.getLastModifiedTime(file);
        Files.writeString(directory.resolve("other"), "9876543210");
        Files.setLastModifiedTime(directory.resolve("other"), time);
        Files.move(directory.resolve("other"), file, java.nio.file.StandardCopyOption.REPLACE_EXISTING);

        assertThat(read("sub/file", before, 0, ByteBuffer.allocate(4)).refusal())
                .hasFieldOrPropertyWithValue("code", ErrorCode.SOURCE_CHANGED);
        String replaced = files.stat("sub/file").get().fingerprint();
        Files.setLastModifiedTime(file, FileTime.fromMillis(5));
        assertThat(files.stat("sub/file").get().fingerprint()).isNotEqualTo(replaced);
    }

    @Test
    void listingsArePagedByNamesAndByRoom() throws IOException {
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < 35; i++) {
            Files.createFile(root.resolve("sub/deep/f%03d".formatted(i)));
            expected.add("f%03d".formatted(i));
        }

        assertThat(names("sub/deep")).isEqualTo(expected);
        assertThat(names("sub/deep", 300)).isEqualTo(expected);
        assertThat(names("sub")).containsExactly("deep", "file");
    }

    @Test
    void aPageOfNothingThatCanBeShownDoesNotEndTheListing() throws IOException {
        for (int i = 0; i < 25; i++) {
            Files.createSymbolicLink(root.resolve("sub/deep/a%02d".formatted(i)), Path.of("nowhere"));
        }
        Files.createFile(root.resolve("sub/deep/z"));

        assertThat(names("sub/deep")).containsExactly("z");
    }

    private List<String> names(String directoryName) {
        return names(directoryName, 100_000);
    }

    private List<String> names(String directoryName, int room) {
        List<String> names = new ArrayList<>();
        String next = "";
        do {
            ByteBuffer page = ByteBuffer.allocate(room);
            next = files.list(directoryName, next, page).get();
            RemoteFileCodec.getAll(page.flip()).forEach(file -> names.add(file.name()));
        } while (!next.isEmpty());
        return names;
    }

    @ParameterizedTest
    @CsvSource({
        "MD5, 25f9e794323b453885f5181f1b624d0b",
        "ADLER32, 091e01de",
        "CRC32, cbf43926",
        "SHA1, f7c3bc1d808e04732adf679965ccc34ca7ae3441",
        "SHA256, 15e2b0d3c33891ebb0f1ef609ec419420c20e320ce94c65fbc8c3312448eb225"
    })
    void checksumsAreTheKnownOnesOfTheRange(ChecksumAlgorithm algorithm, String expected) {
        // The digits 1 to 9 are the usual check of a CRC.
        assertThat(sum(algorithm, 1, 9)).isEqualTo(Outcome.of(expected));
        assertThat(sum(algorithm, 1, -1)).isEqualTo(Outcome.of(expected));
        assertThat(sum(algorithm, 1, 1000)).isEqualTo(Outcome.of(expected));
        assertThat(sum(algorithm, 100, -1)).isEqualTo(sum(algorithm, 3, 0));
    }

    private Outcome<String> sum(ChecksumAlgorithm algorithm, long offset, long length) {
        return finish(files.checksum(new Question.Checksum("sub/file", algorithm, offset, length))
                .get());
    }

    private static Outcome<String> finish(ServedFiles.SlicedChecksum summing) {
        try (summing) {
            Outcome<String> slice;
            do {
                slice = summing.nextSlice();
            } while (!slice.isRefused() && slice.get().isEmpty());
            return slice;
        }
    }

    @Test
    void aChecksumOfAFileThatChangesMeanwhileIsRefused() throws IOException {
        Path large = root.resolve("large");
        Files.write(large, new byte[40 << 20]);
        ServedFiles.SlicedChecksum summing = files.checksum(
                        new Question.Checksum("large", ChecksumAlgorithm.CRC32, 0, -1))
                .get();
        assertThat(summing.nextSlice()).isEqualTo(Outcome.of(""));
        Files.write(large, new byte[1]);

        assertThat(finish(summing).refusal()).hasFieldOrPropertyWithValue("code", ErrorCode.SOURCE_CHANGED);
    }
}
