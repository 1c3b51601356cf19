package io.hawser.agenta.sftp.session;

import io.hawser.agenta.account.Permission;
import io.hawser.agenta.download.RequestedRange;
import io.hawser.agenta.download.SourceSearch;
import io.hawser.agenta.namespace.DirectoryLister;
import io.hawser.agenta.namespace.RequestFailure;
import io.hawser.agenta.namespace.RequestFailure.Reason;
import io.hawser.agenta.sftp.session.SftpSession.Request;
import io.hawser.agenta.sftp.wire.BadPacketException;
import io.hawser.agenta.sftp.wire.FileAttributes;
import io.hawser.core.ftp.FtpPath;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The requests that open files and directories, and those that name a handle.
 *
 * <p>Thread: the loop.
 */
final class FileRequests {
    /** What a client that reads a file's beginning is sure to want. */
    private static final RequestedRange BEGINNING = new RequestedRange(0, 2L << 20);

    private final ClientContext client;
    private final OpenFiles files;

    FileRequests(ClientContext client, OpenFiles files) {
        this.client = client;
        this.files = files;
    }

    void handle(Request request) throws BadPacketException, FtpPath.BadNameException {
        switch (request.type) {
            case OPEN -> open(request);
            case OPENDIR -> openDirectory(request);
            case CLOSE -> close(request);
            case READ -> read(request);
            case WRITE -> write(request);
            case FSTAT -> stat(request);
            case FSETSTAT -> set(request);
            case READDIR -> list(request);
            default -> throw new IllegalArgumentException(request.type + " names no file");
        }
    }

    private void open(Request request) throws BadPacketException, FtpPath.BadNameException {
        String name = request.body.name();
        FtpPath path = client.resolve(name);
        OpenFlags flags = OpenFlags.of(request.body.u32());
        FileAttributes attributes = FileAttributes.read(request.body);
        if (!flags.writes() && !flags.reads()) {
            request.refuse(new RequestFailure(Reason.FAILED, "a file is opened to read or to write it"));
        } else if (flags.writes() && name.endsWith("/")) {
            request.refuse(new RequestFailure(Reason.BAD_NAME, RequestFailure.IS_DIRECTORY));
        } else if (!files.mayOpen()) {
            request.refuse(OpenFiles.TOO_MANY);
        } else {
            files.whenSettled(path, () -> {
                if (flags.writes()) {
                    openUpload(request, path, flags, attributes);
                } else {
                    openDownload(request, path);
                }
            });
        }
    }

    private void openUpload(Request request, FtpPath path, OpenFlags flags, FileAttributes attributes) {
        files.opensToWrite(path);
        new UploadOpener(
                        client,
                        path,
                        flags,
                        attributes,
                        file -> {
                            opened(request, file);
                            files.writeOpened(path);
                        },
                        failure -> {
                            notOpened(request, failure);
                            files.writeOpened(path);
                        })
                .open();
    }

    private void openDownload(Request request, FtpPath path) {
        Optional<RequestFailure> denied = client.refusal(Permission.READ);
        if (denied.isPresent()) {
            notOpened(request, denied.get());
            return;
        }
        new SourceSearch(
                        client.services().files().downloads(),
                        path,
                        client.account().name(),
                        BEGINNING,
                        (source, facts) -> opened(
                                request,
                                new OpenDownload(
                                        path, source, client.services().files().downloads(), client.notes())),
                        failure -> {
                            client.notes().changed("get", path.toString(), Optional.of(failure));
                            notOpened(request, failure);
                        })
                .begin();
    }

    private void opened(Request request, OpenFile file) {
        request.answer(Replies.handle(request.id, files.add(file)));
    }

    private void notOpened(Request request, RequestFailure failure) {
        files.notOpened();
        request.refuse(failure);
    }

    private void openDirectory(Request request) throws BadPacketException, FtpPath.BadNameException {
        FtpPath path = request.path();
        Optional<RequestFailure> denied = client.refusal(Permission.LIST);
        if (denied.isPresent()) {
            request.refuse(denied.get());
        } else if (!files.mayOpen()) {
            request.refuse(OpenFiles.TOO_MANY);
        } else {
            files.whenSettled(path, () -> new DirectoryLister(
                            client.names(),
                            path,
                            client.account().name(),
                            false,
                            listed -> opened(request, new OpenDirectory(path, listed.entries())),
                            failure -> notOpened(request, failure))
                    .ask());
        }
    }

    private void close(Request request) throws BadPacketException {
        Optional<OpenFile> found = files.take(request.body);
        if (found.isEmpty()) {
            request.refuse(OpenFiles.NO_SUCH_HANDLE);
        } else if (found.get() instanceof OpenUpload upload) {
            upload.close(client.evidenceNanos(), request::answer);
            if (upload.isClosing()) {
                files.ends(upload);
            }
        } else {
            if (found.get() instanceof OpenDownload download) {
                download.close();
            }
            request.answer(Optional.empty());
        }
    }

    private void read(Request request) throws BadPacketException {
        Optional<OpenFile> found = files.find(request.body);
        long offset = request.body.position();
        int length = request.body.u32();
        if (found.isPresent() && found.get() instanceof OpenDownload download) {
            int most = length < 0 ? ExtendedRequests.MAX_READ_BYTES : Math.min(length, ExtendedRequests.MAX_READ_BYTES);
            request.holds(most);
            download.read(request.id, offset, most, request::answer);
        } else if (found.isPresent() && found.get() instanceof OpenUpload) {
            request.refuse(new RequestFailure(Reason.BUSY, "a file that is being written is read after it is closed"));
        } else {
            request.refuse(OpenFiles.NO_SUCH_HANDLE);
        }
    }

    private void write(Request request) throws BadPacketException {
        Optional<OpenFile> found = files.find(request.body);
        long offset = request.body.position();
        ByteBuffer bytes = request.body.string();
        if (found.isPresent() && found.get() instanceof OpenUpload upload) {
            upload.write(offset, bytes, request::answer);
        } else if (found.isPresent()) {
            request.refuse(new RequestFailure(Reason.DENIED, "the file is not open for writing"));
        } else {
            request.refuse(OpenFiles.NO_SUCH_HANDLE);
        }
    }

    private void stat(Request request) throws BadPacketException {
        Optional<OpenFile> found = files.find(request.body);
        if (found.isEmpty()) {
            request.refuse(OpenFiles.NO_SUCH_HANDLE);
        } else if (found.get() instanceof OpenUpload upload) {
            upload.stat(told -> request.answer(Replies.attributes(request.id, told)), request::refuse);
        } else {
            stat(request, found.get());
        }
    }

    /** What is at its path by now, but of a file that is read the size that is read. */
    private void stat(Request request, OpenFile file) {
        client.names()
                .paths()
                .find(
                        file.path(),
                        client.account().name(),
                        there -> {
                            FileAttributes now = FileAttributes.of(there.facts());
                            FileAttributes told = file instanceof OpenDownload download
                                    ? new FileAttributes(
                                            OptionalLong.of(download.sizeBytes()),
                                            now.mode(),
                                            now.modifiedSeconds(),
                                            false)
                                    : now;
                            request.answer(Replies.attributes(request.id, told));
                        },
                        (why, failure) -> request.refuse(failure));
    }

    private void set(Request request) throws BadPacketException {
        Optional<OpenFile> found = files.find(request.body);
        FileAttributes wanted = FileAttributes.read(request.body);
        Optional<RequestFailure> denied = client.refusal(Permission.WRITE);
        if (found.isEmpty()) {
            request.refuse(OpenFiles.NO_SUCH_HANDLE);
        } else if (denied.isPresent()) {
            request.refuse(denied.get());
        } else if (found.get() instanceof OpenUpload upload) {
            request.answer(upload.set(wanted));
        } else {
            new FileSetting(client, found.get().path(), wanted, request::answer).set();
        }
    }

    private void list(Request request) throws BadPacketException {
        Optional<OpenFile> found = files.find(request.body);
        if (found.isPresent() && found.get() instanceof OpenDirectory directory) {
            request.answer(directory.next(request.id));
        } else {
            request.refuse(OpenFiles.NO_SUCH_HANDLE);
        }
    }
}
