package io.hawser.it.power;

import io.hawser.it.harness.PreloadedLibrary;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;

/**
 * The commands for one node's preloaded {@code faultpoints.c}, and what it has counted; they outlive the node.
 *
 * <p>Thread: one.
 */
final class FaultPoints {
    /** The calls that are counted, in the order of the library. */
    enum Call {
        PWRITE64,
        WRITE,
        FDATASYNC,
        FSYNC,
        FTRUNCATE,
        FALLOCATE,
        CREATE,
        RENAME,
        LINK,
        UNLINK,
        MKDIR,
        RMDIR,
        READ,
        PREAD64;

        boolean isForce() {
            return this == FDATASYNC || this == FSYNC;
        }
    }

    /** What happens at the chosen call. */
    enum Fault {
        KILL(1, 0, false),
        EIO(2, 5, false),
        EIO_STICKY(2, 5, true),
        ENOSPC(2, 28, false),
        ENOSPC_STICKY(2, 28, true),
        /** Half is written, and the rest when it is tried again. */
        SHORT(3, 5, false),
        /** Half is written, and then nothing any more. */
        SHORT_STICKY(3, 28, true),
        /** At a read; these are counted by themselves. */
        READ(5, 5, false),
        READ_STICKY(5, 5, true);

        final int action;
        final int errno;
        final boolean sticky;

        Fault(int action, int errno, boolean sticky) {
            this.action = action;
            this.errno = errno;
            this.sticky = sticky;
        }

        boolean isOfReads() {
            return action == READ.action;
        }

        String word() {
            return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
        }
    }

    private static final int AT = 0;
    private static final int CALLS = 8;
    private static final int ACTION = 16;
    private static final int ERROR = 24;
    private static final int STICKY = 32;
    private static final int HITS = 40;
    private static final int HIT_KIND = 48;
    private static final int READS = 56;
    private static final int HIT_PATH = 192;
    private static final int PATH_BYTES = 512;
    private static final int HIT_BEFORE = HIT_PATH + PATH_BYTES;
    private static final int LIE = 4;

    private final Path library;
    private final Path file;
    private final List<Path> directories;
    private final MappedByteBuffer control;

    /**
     * Compiles the library beside {@code file}, unless that is done.
     *
     * @param directories below which calls count
     */
    FaultPoints(Path file, List<Path> directories) throws IOException {
        library = PreloadedLibrary.compile(
                FaultPoints.class, "faultpoints", file.toAbsolutePath().getParent());
        this.file = file;
        this.directories = directories;
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            control = channel.map(FileChannel.MapMode.READ_WRITE, 0, HIT_BEFORE + PATH_BYTES);
        }
        control.order(ByteOrder.nativeOrder());
    }

    /** What a node's environment needs. */
    Map<String, String> environment() {
        return Map.of(
                "LD_PRELOAD",
                library.toString(),
                "FAULTPOINTS_CONTROL",
                file.toString(),
                "FAULTPOINTS_DIRS",
                String.join(":", directories.stream().map(Path::toString).toList()));
    }

    /** Lets it happen at the {@code number}-th call from now on, counted from 1. */
    void arm(Fault fault, long number) {
        control.putLong(AT, 0);
        control.putLong(ACTION, fault.action);
        control.putLong(ERROR, fault.errno);
        control.putLong(STICKY, fault.sticky ? 1 : 0);
        control.putLong(HITS, 0);
        control.put(HIT_PATH, new byte[2 * PATH_BYTES]);
        control.putLong(AT, (fault.isOfReads() ? control.getLong(READS) : calls()) + number);
    }

    /** Nothing happens any more. */
    void disarm() {
        control.putLong(AT, 0);
        control.putLong(ACTION, 0);
    }

    /** From now on no force does anything, and says success. */
    void lie() {
        control.putLong(ACTION, LIE);
    }

    long calls() {
        return control.getLong(CALLS);
    }

    /** How often it happened since it was armed. */
    long hits() {
        return control.getLong(HITS);
    }

    /** The call that it happened to first. */
    Call hitCall() {
        return Call.values()[(int) control.getLong(HIT_KIND)];
    }

    /** The path of that call. */
    String hitPath() {
        return text(HIT_PATH);
    }

    /** The name that the thread of that call had made, changed or removed last before it; empty if none. */
    String hitBefore() {
        return text(HIT_BEFORE);
    }

    private String text(int place) {
        byte[] bytes = new byte[PATH_BYTES];
        control.get(place, bytes);
        return new String(bytes, StandardCharsets.UTF_8).replaceFirst("(?s)\0.*", "");
    }
}
