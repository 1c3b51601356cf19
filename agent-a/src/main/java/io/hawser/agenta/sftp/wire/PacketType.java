package io.hawser.agenta.sftp.wire;

import java.util.Arrays;
import java.util.Optional;

/** The types of packets, with their numbers (draft-ietf-secsh-filexfer-02 section 3). */
public enum PacketType {
    INIT(1),
    VERSION(2),
    OPEN(3),
    CLOSE(4),
    READ(5),
    WRITE(6),
    LSTAT(7),
    FSTAT(8),
    SETSTAT(9),
    FSETSTAT(10),
    OPENDIR(11),
    READDIR(12),
    REMOVE(13),
    MKDIR(14),
    RMDIR(15),
    REALPATH(16),
    STAT(17),
    RENAME(18),
    READLINK(19),
    SYMLINK(20),
    STATUS(101),
    HANDLE(102),
    DATA(103),
    NAME(104),
    ATTRS(105),
    EXTENDED(200),
    EXTENDED_REPLY(201);

    private final int code;

    PacketType(int code) {
        this.code = code;
    }

    public int code() {
        return code;
    }

    /** The type of that number, if there is one. */
    public static Optional<PacketType> of(int code) {
        return Arrays.stream(values()).filter(type -> type.code == code).findFirst();
    }
}
