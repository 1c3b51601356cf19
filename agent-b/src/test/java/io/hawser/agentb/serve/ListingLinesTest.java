package io.hawser.agentb.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.hawser.core.remote.RemoteFile;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.apache.commons.net.ftp.FTPFile;
import org.apache.commons.net.ftp.FTPFileEntryParser;
import org.junit.jupiter.api.Test;

class ListingLinesTest {
    /** commons-net throws NumberFormatException, and the whole directory could not be listed. */
    @Test
    void aLineWithANumberThatCannotBeHidesNoOther() {
        List<String> names = List.of("type=file;size=99999999999999999999; odd", "type=file;size=5; sound").stream()
                .map(ListingLines::facts)
                .filter(Objects::nonNull)
                .map(FTPFile::getName)
                .toList();
        assertThat(names).containsExactly("sound");
    }

    @Test
    void aTimeWithAFractionIsToldFromOneWithout() {
        List<String> fingerprints = List.of(
                        "Type=file;Size=5;Modify=20200101000000.000; x",
                        "modify=20200101000000.5;type=file;size=5; x",
                        "modify=20200101000000.123456;type=file;size=5; x",
                        "Type=file;Size=5;Modify=20200101000000;Unique=1.2; modify=20200101000000.5")
                .stream()
                .map(line -> Objects.requireNonNull(ListingLines.facts(line)))
                .map(file -> FarEntry.of("x", file).remoteFile().fingerprint())
                .toList();
        assertThat(fingerprints)
                .containsExactly(
                        "far:5-1577836800000f", "far:5-1577836800500f", "far:5-1577836800123f", "far:5-1577836800000");
    }

    @Test
    void theFirstSecondOf1970IsATimeAndNoTimeIsNone() {
        assertThat(List.of("Type=file;Size=5;Modify=19700101000000; x", "Type=file;Size=5; x").stream()
                        .map(line -> FarEntry.of("x", Objects.requireNonNull(ListingLines.facts(line))))
                        .map(FarEntry::remoteFile)
                        .map(RemoteFile::takesPatches))
                .containsExactly(true, false);
    }

    @Test
    void linesOfListAreReadAndTheTotalIsNoEntry() {
        FTPFileEntryParser parser = ListingLines.parser("215 UNIX Type: L8");
        List<String> lines = List.of("total 8", "-rw-r--r--   1 a  b   5 Jan 01 2020 sound", "what?");

        assertThat(lines.stream()
                        .map(line -> ListingLines.listed(parser, line))
                        .filter(Objects::nonNull)
                        .map(FTPFile::getName))
                .containsExactly("sound");
        assertThat(lines.stream().map(ListingLines::isEntry)).containsExactly(false, true, true);
    }

    @Test
    void lineThatWouldOverflowTheStackIsNoEntry() {
        assertThat(ListingLines.listed(ListingLines.parser(""), "-rw-r--r-- 1 " + "a ".repeat(8000)))
                .isNull();
    }

    /** The pattern would look for the end of the line again for each way to share the words between user and group. */
    @Test
    void linesThatWouldTakeLongAreNoEntries() {
        FTPFileEntryParser parser = ListingLines.parser("");
        String line = "-rw-r--r-- 1 " + "a 5 Jan 01 2020 ".repeat(11) + "x".repeat(50_000_000) + "\u2028";

        assertTimeoutPreemptively(Duration.ofSeconds(30), () -> assertThat(ListingLines.listed(parser, line))
                .isNull());
    }

    @Test
    void nameOfManyWordsIsRead() {
        String name = "it has ten words, as no other of them has".repeat(4);

        FTPFile file = ListingLines.listed(ListingLines.parser(""), "-rw-r--r-- 1 a b 5 Jan 01 2020 " + name);

        assertThat(file).extracting(FTPFile::getName).isEqualTo(name);
    }
}
