package io.hawser.core.model;

/** The operation that the far end performs for a transfer. */
public enum TransferKind implements CodedEnum {
    /** A file: its bytes appear under its name. */
    FILE(1),
    /** A message for an application: bytes with attributes, no file name. */
    MESSAGE(2),
    /** The directory of this name is created, with its parents. No bytes. */
    MAKE_DIRECTORY(3),
    /** The file of this name is deleted. No bytes. */
    DELETE(4),
    /** The empty directory of this name is deleted. No bytes. */
    REMOVE_DIRECTORY(5),
    /** The file or directory of this name is renamed to {@link Attributes#RENAMED_TO}; a file there is replaced. No bytes. */
    RENAME(6),
    /** The file or directory of this name gets the modification time {@link Attributes#MODIFIED_MILLIS}. No bytes. */
    SET_TIME(7),
    /** The file or directory of this name gets the permissions {@link Attributes#MODE}. No bytes. */
    SET_MODE(8),
    /**
     * Bytes that replace ranges of the file of this name, see {@link Attributes#OFFSET}. The file must be the one that {@link
     * Attributes#BASE_SIZE} and {@link Attributes#BASE_FINGERPRINT} or {@link Attributes#BASE_DIGEST} describe, or not exist. A gap between its
     * end and the offset becomes a hole.
     */
    PATCH(9);

    private final int code;

    TransferKind(int code) {
        this.code = code;
    }

    @Override
    public int code() {
        return code;
    }

    /** Whether it carries bytes; the others change names, times or modes. */
    public boolean hasBytes() {
        return this == FILE || this == MESSAGE || this == PATCH;
    }

    /** The kind with that number; {@link IllegalArgumentException} if there is none. */
    public static TransferKind of(int code) {
        return CodedEnum.of(values(), code, "transfer kind");
    }
}
