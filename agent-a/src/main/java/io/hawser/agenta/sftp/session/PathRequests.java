package io.hawser.agenta.sftp.session;

import io.hawser.agenta.account.Permission;
import io.hawser.agenta.namespace.Namespace;
import io.hawser.agenta.namespace.RequestFailure;
import io.hawser.agenta.namespace.RequestFailure.Reason;
import io.hawser.agenta.sftp.session.SftpSession.Request;
import io.hawser.agenta.sftp.wire.BadPacketException;
import io.hawser.agenta.sftp.wire.FileAttributes;
import io.hawser.core.ftp.FtpPath;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * The requests that name a path: what is there, and changes of it.
 *
 * <p>Thread: the loop.
 */
final class PathRequests {
    private static final FileAttributes DIRECTORY =
            new FileAttributes(OptionalLong.of(0), OptionalInt.of(0040755), OptionalLong.of(0), false);

    private final ClientContext client;
    private final OpenFiles files;

    PathRequests(ClientContext client, OpenFiles files) {
        this.client = client;
        this.files = files;
    }

    ClientContext client() {
        return client;
    }

    void handle(Request request) throws BadPacketException, FtpPath.BadNameException {
        FtpPath path = request.path();
        switch (request.type) {
            case REALPATH -> request.answer(Replies.path(request.id, path.toString()));
            case STAT, LSTAT -> files.whenSettled(path, () -> stat(request, path));
            case READLINK -> request.refuse(new RequestFailure(Reason.FAILED, "Symbolic links are not shown"));
            case SETSTAT -> set(request, path, FileAttributes.read(request.body));
            case REMOVE -> remove(request, path);
            case RMDIR ->
                change(request, Permission.DELETE, "rmdir", path, told -> client.changes()
                        .removeDirectory(path, told));
            case MKDIR ->
                change(request, Permission.WRITE, "mkdir", path, told -> client.changes()
                        .makeDirectory(path, told));
            case RENAME -> rename(request, path, request.path(), false);
            default -> throw new IllegalArgumentException(request.type + " names no path");
        }
    }

    /** One change of a name, time or mode. */
    private interface Change {
        void make(Consumer<Optional<RequestFailure>> told);
    }

    private void change(Request request, Permission permission, String what, FtpPath path, Change change) {
        change(request, permission, what, path, path.toString(), change);
    }

    private void change(
            Request request, Permission permission, String what, FtpPath path, String object, Change change) {
        Optional<RequestFailure> denied = client.refusal(permission);
        if (denied.isPresent()) {
            client.notes().changed(what, object, denied);
            request.answer(denied);
            return;
        }
        files.whenSettled(
                path,
                () -> change.make(outcome -> {
                    client.notes().changed(what, object, outcome);
                    request.answer(outcome);
                }));
    }

    private void stat(Request request, FtpPath path) {
        Optional<OpenUpload> written = files.written(path);
        Optional<RequestFailure> denied = client.refusal(Permission.LIST);
        if (written.isPresent()) {
            written.get().stat(told -> request.answer(Replies.attributes(request.id, told)), request::refuse);
        } else if (path.isRoot()
                || client.names().place(path).map(Namespace.Place::isTopic).orElse(false)) {
            request.answer(Replies.attributes(request.id, DIRECTORY));
        } else if (denied.isPresent()) {
            request.answer(denied);
        } else {
            client.names()
                    .paths()
                    .findFacts(
                            path,
                            client.account().name(),
                            found -> request.answer(Replies.attributes(request.id, FileAttributes.of(found.facts()))),
                            (why, failure) -> request.refuse(failure));
        }
    }

    private void set(Request request, FtpPath path, FileAttributes wanted) {
        files.whenSettled(path, () -> setSettled(request, path, wanted));
    }

    private void setSettled(Request request, FtpPath path, FileAttributes wanted) {
        Optional<OpenUpload> written = files.written(path);
        if (written.isPresent()) {
            request.answer(written.get().set(wanted));
        } else {
            change(request, Permission.WRITE, "setstat", path, told -> new FileSetting(client, path, wanted, told)
                    .set());
        }
    }

    /** What the client has closed a moment ago and deletes now was no file yet. */
    private void remove(Request request, FtpPath path) {
        boolean dropped = client.account().may(Permission.DELETE) && files.drop(path);
        files.clientActed();
        change(request, Permission.DELETE, "rm", path, told -> client.changes()
                .remove(
                        path,
                        outcome -> told.accept(outcome.filter(why -> !dropped || why.reason() != Reason.NOT_FOUND))));
    }

    /** @param replaces whether a file at {@code to} is replaced */
    void rename(Request request, FtpPath from, FtpPath to, boolean replaces) {
        files.whenSettled(
                to,
                () -> change(request, Permission.WRITE, "rename", from, from + " -> " + to, told -> client.changes()
                        .rename(from, to, replaces, told)));
    }
}
