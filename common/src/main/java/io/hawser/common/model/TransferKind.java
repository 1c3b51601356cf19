package io.hawser.common.model;

/** What a transfer does when it is published at the far end. Codes are fixed by the wire format. */
public enum TransferKind {
    /** A file: its bytes appear under its name. */
    FILE(1),
    /** A message for an application: bytes with attributes, no file name. */
    MESSAGE(2),
    /** The directory of this name is made, with its parents. No bytes. */
    MAKE_DIRECTORY(3);

    private final int code;

    TransferKind(int code) {
        this.code = code;
    }

    /** The kind's number on the wire and on disk. */
    public int code() {
        return code;
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
