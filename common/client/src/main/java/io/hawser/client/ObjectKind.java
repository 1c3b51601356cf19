package io.hawser.client;

import io.hawser.core.model.TransferKind;

/** What a {@link ReceivedObject} is, or asks for. */
public enum ObjectKind {
    /** A file: bytes under a name. */
    FILE,
    /** A message or request: bytes under a label. */
    MESSAGE,
    /** Make the directory of this name, with its parents. */
    MAKE_DIRECTORY,
    /** Delete the file of this name. */
    DELETE,
    /** Delete the empty directory of this name. */
    REMOVE_DIRECTORY,
    /** Rename the file or directory of this name to the name in the attribute {@code to}; replace a file there. */
    RENAME,
    /** Set the modification time of this name to the attribute {@code mtime}: milliseconds since the epoch, decimal. */
    SET_TIME,
    /** Set the permissions of this name to the attribute {@code mode}: octal, 0 to 777. */
    SET_MODE,
    /** Replace part of the file of this name. Receiving programs do not get these: they are refused to the sender. */
    PATCH;

    /** Whether an object of this kind has bytes. */
    public boolean hasBytes() {
        return this == FILE || this == MESSAGE || this == PATCH;
    }

    static ObjectKind of(TransferKind kind) {
        return switch (kind) {
            case FILE -> FILE;
            case MESSAGE -> MESSAGE;
            case MAKE_DIRECTORY -> MAKE_DIRECTORY;
            case DELETE -> DELETE;
            case REMOVE_DIRECTORY -> REMOVE_DIRECTORY;
            case RENAME -> RENAME;
            case SET_TIME -> SET_TIME;
            case SET_MODE -> SET_MODE;
            case PATCH -> PATCH;
        };
    }
}
