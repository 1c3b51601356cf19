package io.hawser.store.storage;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.Locale;
import java.util.Set;

/** Turns what the JDK throws into the {@link StorageException} that a caller can act upon. */
final class StorageExceptionMapper {
    /** What strerror says of refusals that stay. */
    private static final Set<String> FINAL_REASONS = Set.of(
            "Directory not empty",
            "File exists",
            "File name too long",
            "Invalid argument",
            PathRefusedException.CROSS_DEVICE,
            "Is a directory",
            "Not a directory",
            "Operation not permitted",
            "Operation not supported",
            "Too many levels of symbolic links");

    private StorageExceptionMapper() {}

    static StorageException of(String action, IOException cause) {
        String message = action + ": " + reason(cause);
        if (cause instanceof NoSuchFileException) {
            return new PathMissingException(message, cause);
        }
        if (cause instanceof FileAlreadyExistsException) {
            return new PathExistsException(message, cause);
        }
        String refusal = refusal(cause);
        if (!refusal.isEmpty()) {
            return new PathRefusedException(action + ": " + refusal, refusal, cause);
        }
        if (DescriptorWait.areLacking(cause)) {
            return new CannotOpenNowException(message, cause);
        }
        if (String.valueOf(cause.getMessage()).endsWith("Read-only file system")) {
            return new ReadOnlyException(message, cause);
        }
        return isOutOfSpace(cause) ? new OutOfSpaceException(message, cause) : new StorageException(message, cause);
    }

    /** The same of something that had to be opened first and was not. */
    static StorageException notOpened(String action, IOException cause) {
        StorageException failure = of(action, cause);
        boolean saysEnough = failure instanceof PathMissingException
                || failure instanceof PathRefusedException
                || failure instanceof ReadOnlyException;
        return saysEnough ? failure : new CannotOpenNowException(String.valueOf(failure.getMessage()), cause);
    }

    /** Why the file system refuses for good, in POSIX's words, or an empty string. */
    private static String refusal(IOException cause) {
        if (cause instanceof DirectoryNotEmptyException) {
            return "Directory not empty";
        }
        if (cause instanceof AccessDeniedException) {
            return "Permission denied";
        }
        String reason = cause instanceof FileSystemException refused ? refused.getReason() : null;
        return reason != null && FINAL_REASONS.contains(reason) ? reason : "";
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
