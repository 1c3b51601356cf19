package io.hawser.common.storage;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.Locale;

/** Turns what the JDK throws into the {@link StorageException} that a caller can act upon. */
final class StorageFailures {
    private StorageFailures() {}

    static StorageException of(String action, IOException cause) {
        String message = action + ": " + reason(cause);
        if (cause instanceof NoSuchFileException) {
            return new PathMissingException(message, cause);
        }
        if (cause instanceof FileAlreadyExistsException) {
            return new PathExistsException(message, cause);
        }
        return isOutOfSpace(cause) ? new OutOfSpaceException(message, cause) : new StorageException(message, cause);
    }

    private static String reason(IOException cause) {
        if (cause instanceof NoSuchFileException) {
            return "no such file";
        }
        if (cause instanceof FileAlreadyExistsException) {
            return "exists already";
        }
        String message = cause.getMessage();
        return message == null ? cause.toString() : message;
    }

    private static boolean isOutOfSpace(IOException cause) {
        String message = String.valueOf(cause.getMessage()).toLowerCase(Locale.ROOT);
        return message.contains("no space left") || message.contains("quota exceeded");
    }
}
