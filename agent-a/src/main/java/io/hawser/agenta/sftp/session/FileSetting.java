package io.hawser.agenta.sftp.session;

import io.hawser.agenta.namespace.PathLookup;
import io.hawser.agenta.namespace.RequestFailure;
import io.hawser.agenta.namespace.RequestFailure.Reason;
import io.hawser.agenta.sftp.wire.FileAttributes;
import io.hawser.core.ftp.FtpPath;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * SETSTAT of what is at a path: mode and modification time. A file can be cut to nothing, which replaces it by an empty one; other sizes are
 * not set.
 *
 * <p>Thread: the loop.
 */
final class FileSetting {
    static final RequestFailure OWNERS_ARE_NOT_KEPT =
            new RequestFailure(Reason.DENIED, RequestFailure.PERMISSION_DENIED + ": owners are not kept");
    static final RequestFailure SIZE_IS_NOT_SET =
            new RequestFailure(Reason.FAILED, "a file is cut to nothing or written; other sizes cannot be set");

    private final ClientContext client;
    private final FtpPath path;
    private final FileAttributes wanted;
    private final Consumer<Optional<RequestFailure>> told;

    FileSetting(ClientContext client, FtpPath path, FileAttributes wanted, Consumer<Optional<RequestFailure>> told) {
        this.client = client;
        this.path = path;
        this.wanted = wanted;
        this.told = told;
    }

    void set() {
        if (wanted.hasOwner()) {
            told.accept(Optional.of(OWNERS_ARE_NOT_KEPT));
        } else if (wanted.size().isPresent()) {
            setSize(wanted.size().getAsLong());
        } else {
            setMode();
        }
    }

    private void setSize(long size) {
        client.names()
                .paths()
                .findFacts(
                        path,
                        client.account().name(),
                        found -> setSize(found, size),
                        (why, failure) -> told.accept(Optional.of(failure)));
    }

    private void setSize(PathLookup.Found found, long size) {
        if (found.facts().directory()) {
            told.accept(Optional.of(RequestFailure.conflict(RequestFailure.IS_DIRECTORY)));
        } else if (found.facts().sizeBytes() == size) {
            setMode();
        } else if (size == 0) {
            empty();
        } else {
            told.accept(Optional.of(SIZE_IS_NOT_SET));
        }
    }

    private void empty() {
        OpenFlags flags = new OpenFlags(false, true, true, true, false);
        new UploadOpener(
                        client,
                        path,
                        flags,
                        FileAttributes.NONE,
                        file -> {
                            file.close(0, failure -> {
                                if (failure.isPresent()) {
                                    told.accept(failure);
                                } else {
                                    setMode();
                                }
                            });
                            file.clientActed(); // the request is the client's statement that this is all
                        },
                        failure -> told.accept(Optional.of(failure)))
                .open();
    }

    private void setMode() {
        wanted.mode()
                .ifPresentOrElse(
                        mode -> client.changes().setMode(path, mode, failure -> {
                            if (failure.isPresent()) {
                                told.accept(failure);
                            } else {
                                setTime();
                            }
                        }),
                        this::setTime);
    }

    private void setTime() {
        wanted.modifiedSeconds()
                .ifPresentOrElse(
                        seconds -> client.changes().setTime(path, TimeUnit.SECONDS.toMillis(seconds), told),
                        () -> told.accept(Optional.empty()));
    }
}
