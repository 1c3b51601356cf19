package io.hawser.it.bench.links;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgramsTest {
    @Test
    void whatIsNotThereOrCannotBeStartedIsMissing(@TempDir Path first, @TempDir Path second) throws Exception {
        Files.createFile(
                second.resolve("there"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
        Files.writeString(first.resolve("text"), "no program");
        Files.createDirectory(first.resolve("directory"));
        assertThat(Programs.missing(List.of("there", "text", "directory", "nowhere"), first + ":" + second))
                .containsExactly("text", "directory", "nowhere");
    }

    @Test
    void everyPeerNamesTheProgramThatItStarts() {
        assertThat(PeerProgram.ALL).allSatisfy(peer -> {
            assertThat(peer.programs()).contains(peer.server().program());
            assertThat(peer.programs()).hasSizeBetween(1, 2);
        });
        assertThat(PeerProgram.RSYNC.programs()).containsExactly("rsync");
        assertThat(PeerProgram.gridFtp(2).programs()).containsExactly("globus-url-copy", "globus-gridftp-server");
    }
}
