package io.hawser.core.model;

/** The operation that a transfer performs when the far end publishes it. Codes are fixed by the wire format. */
public enum TransferKind {
    /** A file: its bytes appear under its name. */
    FILE(1),
    /** A message for an application: bytes with attributes, no file name. */
    MESSAGE(2),
    /** The directory of this name is made, with its parents. No bytes. */
    MAKE_DIRECTORY(3),
    /** The file of this name is removed. No bytes. */
    DELETE(4),
    /** The empty directory of this name is removed. No bytes. */
    REMOVE_DIRECTORY(5),
    /** The file or directory of this name gets the name {@link Attributes#RENAMED_TO}; a file there is replaced. No bytes. */
    RENAME(6),
    /** What stands at this name gets the modification time {@link Attributes#MODIFIED_MILLIS}. No bytes. */
    SET_TIME(7),
    /** What stands at this name gets the permissions {@link Attributes#MODE}. No bytes. */
    SET_MODE(8),
    /**
     * Bytes that go into the file of this name, from {@link Attributes#OFFSET} on; what is before them and behind them stays. The file
     * must be the one that {@link Attributes#BASE_SIZE} and {@link Attributes#BASE_FINGERPRINT} or {@link Attributes#BASE_DIGEST} describe, or there must be none. What
     * lies between its end and the offset becomes a hole, which reads as zeros.
     */
    PATCH(9);

    private final int code;

    TransferKind(int code) {
        this.code = code;
    }

    /** The kind's number on the wire and on disk. */
    public int code() {
        return code;
    }

    /** Whether it carries bytes; the others change names, and are done at their turn among those that touch the same paths. */
    public boolean hasBytes() {
        return this == FILE || this == MESSAGE || this == PATCH;
    }

    /** The kind with that number; {@link IllegalArgumentException} if there is none. */
    public static TransferKind of(int code) {
        for (TransferKind kind : values()) {
            if (kind.code == code) {
                return kind;
            }
        }
        throw new IllegalArgumentException("unknown transfer kind " + code);
    }
}
