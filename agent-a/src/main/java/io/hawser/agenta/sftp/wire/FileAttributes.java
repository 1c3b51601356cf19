package io.hawser.agenta.sftp.wire;

import io.hawser.agenta.namespace.PathFacts;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/**
 * The attributes of a file in version 3 (draft-ietf-secsh-filexfer-02 section 5), those that a client says or is told.
 *
 * @param size bytes
 * @param mode the nine permission bits, and when they are told the type of the file above them
 * @param modifiedSeconds modification time, seconds since the epoch
 * @param hasOwner whether a client named an owner
 */
public record FileAttributes(OptionalLong size, OptionalInt mode, OptionalLong modifiedSeconds, boolean hasOwner) {
    public static final FileAttributes NONE =
            new FileAttributes(OptionalLong.empty(), OptionalInt.empty(), OptionalLong.empty(), false);

    private static final int SIZE = 1;
    private static final int OWNER = 2;
    private static final int PERMISSIONS = 4;
    private static final int TIMES = 8;
    private static final int EXTENDED = 0x80000000;

    private static final int DIRECTORY_TYPE = 0040000;
    private static final int FILE_TYPE = 0100000;
    private static final int PERMISSION_BITS = 0777;
    private static final long SECONDS_MASK = 0xffffffffL;

    /** What clients are told of a file or directory. */
    public static FileAttributes of(PathFacts facts) {
        return new FileAttributes(
                OptionalLong.of(facts.sizeBytes()),
                OptionalInt.of((facts.directory() ? DIRECTORY_TYPE : FILE_TYPE) | (facts.mode() & PERMISSION_BITS)),
                OptionalLong.of(TimeUnit.MILLISECONDS.toSeconds(facts.modifiedMillis())),
                false);
    }

    /** Of a file that is being written. */
    public static FileAttributes ofFile(long sizeBytes, int mode, long modifiedSeconds) {
        return new FileAttributes(
                OptionalLong.of(sizeBytes),
                OptionalInt.of(FILE_TYPE | (mode & PERMISSION_BITS)),
                OptionalLong.of(modifiedSeconds),
                false);
    }

    public static FileAttributes read(PacketReader from) throws BadPacketException {
        int flags = from.u32();
        OptionalLong size = (flags & SIZE) == 0 ? OptionalLong.empty() : OptionalLong.of(from.position());
        if ((flags & OWNER) != 0) {
            from.u32();
            from.u32();
        }
        OptionalInt mode =
                (flags & PERMISSIONS) == 0 ? OptionalInt.empty() : OptionalInt.of(from.u32() & PERMISSION_BITS);
        OptionalLong modified = OptionalLong.empty();
        if ((flags & TIMES) != 0) {
            from.u32(); // access times are not kept
            modified = OptionalLong.of(from.u32() & SECONDS_MASK);
        }
        if ((flags & EXTENDED) != 0) {
            for (int count = from.u32(); count > 0; count--) {
                from.string();
                from.string();
            }
        }
        return new FileAttributes(size, mode, modified, (flags & OWNER) != 0);
    }

    public void write(PacketWriter to) {
        int flags = (size.isPresent() ? SIZE : 0)
                | (mode.isPresent() ? PERMISSIONS : 0)
                | (modifiedSeconds.isPresent() ? TIMES : 0);
        to.u32(flags);
        size.ifPresent(to::u64);
        mode.ifPresent(to::u32);
        modifiedSeconds.ifPresent(seconds -> to.u32((int) seconds).u32((int) seconds));
    }
}
