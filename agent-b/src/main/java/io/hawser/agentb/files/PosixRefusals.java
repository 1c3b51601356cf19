package io.hawser.agentb.files;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.remote.RemoteFiles;
import io.hawser.store.storage.ServedTree;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Translates errors of the file system to POSIX messages. */
final class PosixRefusals {
    private static final Logger LOG = LoggerFactory.getLogger(PosixRefusals.class);
    private static final String DENIED = "Permission denied";

    /** A call of the file system. */
    interface Action<T> {
        Outcome<T> run() throws IOException;
    }

    private PosixRefusals() {}

    /** Runs a call and turns its failure into a refusal. */
    static <T> Outcome<T> attempt(String name, Action<T> action) {
        try {
            return action.run();
        } catch (NoSuchFileException e) {
            return Outcome.refused(ErrorCode.NOT_FOUND, "No such file or directory");
        } catch (ServedTree.LeadsOutException e) {
            return Outcome.refused(ErrorCode.NOT_ALLOWED, RemoteFiles.LEADS_OUT);
        } catch (AccessDeniedException e) {
            return Outcome.refused(ErrorCode.NOT_ALLOWED, DENIED);
        } catch (NotDirectoryException e) {
            return Outcome.refused(ErrorCode.NOT_DIRECTORY, "Not a directory");
        } catch (InvalidPathException e) {
            return Outcome.refused(ErrorCode.BAD_NAME, "Invalid argument");
        } catch (FileSystemException e) {
            return ofReason(name, e);
        } catch (IOException e) {
            return failed(name, e, "Input/output error");
        }
    }

    /** For errors without a Java exception: the reason is the text of strerror in the C locale. */
    private static <T> Outcome<T> ofReason(String name, FileSystemException cause) {
        String reason = String.valueOf(cause.getReason());
        if (reason.contains("Not a directory")) {
            return Outcome.refused(ErrorCode.NOT_DIRECTORY, "Not a directory");
        } else if (reason.contains("File name too long")) {
            return Outcome.refused(ErrorCode.BAD_NAME, "File name too long");
        } else if (reason.contains("Too many levels of symbolic links")) {
            return Outcome.refused(ErrorCode.BAD_NAME, "Too many levels of symbolic links");
        } else if (reason.contains("Operation not permitted")) {
            return Outcome.refused(ErrorCode.NOT_ALLOWED, DENIED);
        }
        return failed(name, cause, cause.getReason() == null ? "Input/output error" : reason);
    }

    private static <T> Outcome<T> failed(String name, IOException cause, String text) {
        LOG.atWarn()
                .addKeyValue("name", name)
                .addKeyValue("reason", cause.getMessage())
                .log("cannot read a file or directory");
        return Outcome.refused(ErrorCode.STORAGE_FAILED, text);
    }
}
