package io.hawser.store.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class FileSystemKindTest {
    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"nfs", "nfs4", "NFS", "cifs", "smb2", "smb3", "9p", "ceph", "lustre", "virtiofs"})
    void networkFileSystems(String type) {
        assertThat(FileSystemKind.ofType(type)).isEqualTo(FileSystemKind.NETWORK);
    }

    @ParameterizedTest
    @ValueSource(strings = {"fuse", "fuseblk", "fuse.sshfs", "fuse.glusterfs"})
    void programs(String type) {
        assertThat(FileSystemKind.ofType(type)).isEqualTo(FileSystemKind.PROGRAM);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "ext4", "xfs", "btrfs", "zfs", "overlay", "tmpfs", "apfs", "f2fs", "jfs", "ntfs3", "nfsd"})
    void localOnesAndUnknownOnes(String type) {
        assertThat(FileSystemKind.ofType(type)).isEqualTo(FileSystemKind.LOCAL);
    }

    @Test
    void theDiskTellsTheTypeThatTheKernelTells() throws Exception {
        Path proc = Path.of("/proc/self");
        assumeTrue(Files.isDirectory(proc), "/proc is Linux's");

        assertThat(new DiskStorage().fileSystemType(proc)).isEqualTo("proc");
        assertThat(new DiskStorage().fileSystemType(directory.resolve("none"))).isEmpty();
    }
}
