package io.hawser.store.storage;

import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * What a file system's type says of it as a place for what a node has promised: whether a force there means that a disk has the bytes,
 * and a lock that no process of another machine has it too.
 */
public enum FileSystemKind {
    /** Of this machine's kernel, on a disk or in memory; or of a type that is not known. */
    LOCAL(""),
    /** Another machine's, or the host's of this virtual one. */
    NETWORK("which is a network file system"),
    /** Served through FUSE. */
    PROGRAM("which is served by a program (FUSE)");

    /** As the kernel calls them, without the numbers of versions. */
    private static final Set<String> NETWORK_TYPES = Set.of(
            "nfs",
            "cifs",
            "smb",
            "smbfs",
            "9p",
            "afs",
            "beegfs",
            "ceph",
            "coda",
            "davfs",
            "glusterfs",
            "gpfs",
            "lustre",
            "ncpfs",
            "orangefs",
            "pvfs",
            "vboxsf",
            "virtiofs",
            "vmhgfs");

    private final String what;

    FileSystemKind(String what) {
        this.what = what;
    }

    /** What {@code type} is, as {@code mount} shows it, such as {@code nfs4} or {@code fuse.sshfs}. */
    public static FileSystemKind ofType(String type) {
        String name = type.toLowerCase(Locale.ROOT);
        if (name.startsWith("fuse")) {
            return PROGRAM;
        }
        boolean isNetwork = NETWORK_TYPES.contains(name) || NETWORK_TYPES.contains(name.replaceFirst("[0-9]+$", ""));
        return isNetwork ? NETWORK : LOCAL;
    }

    /** A warning about the file system of {@code directory}, a sentence; empty if there is none. */
    public static Optional<String> warning(Storage storage, Path directory) {
        String type = storage.fileSystemType(directory);
        FileSystemKind kind = ofType(type);
        return kind == LOCAL
                ? Optional.empty()
                : Optional.of(directory + " is on " + type + ", " + kind.what
                        + ": what was acknowledged may be lost in a crash there, and a second process may not be kept"
                        + " out. Use a disk of this machine.");
    }
}
