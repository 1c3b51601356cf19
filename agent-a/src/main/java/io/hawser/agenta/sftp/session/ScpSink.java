package io.hawser.agenta.sftp.session;

import io.hawser.agenta.account.Permission;
import io.hawser.agenta.namespace.Namespace;
import io.hawser.agenta.namespace.RequestFailure;
import io.hawser.agenta.namespace.RequestFailure.Reason;
import io.hawser.agenta.sftp.wire.FileAttributes;
import io.hawser.core.ftp.FtpPath;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Takes files in scp's older protocol. A file has the size that was announced, and the client says after it that this was all: no further
 * evidence is needed.
 *
 * <p>Thread: the loop.
 */
final class ScpSink extends ScpSession {
    private static final Pattern FILE = Pattern.compile("([CD])([0-7]{1,5}) (\\d{1,18}) (.+)");
    private static final Pattern TIMES = Pattern.compile("T(\\d{1,12}) \\d{1,9} \\d{1,12} \\d{1,9}");

    private final ScpCommand command;
    /** The directories that have been entered. */
    private final ArrayDeque<FtpPath> directories = new ArrayDeque<>();

    private FtpPath target;
    private boolean isDirectory;
    private OptionalLong modifiedSeconds = OptionalLong.empty();
    private @Nullable OpenUpload file;
    /** Whether the client is telling why it could not read its file. */
    private boolean failsAfterData;

    private long position;
    private long size;
    private @Nullable RequestFailure failure;

    ScpSink(ClientContext client, Outlet outlet, ScpCommand command) {
        super(client, outlet);
        this.command = command;
        this.target = client.account().root();
    }

    @Override
    public void begin() {
        pause();
        try {
            target = client.resolve(command.path());
        } catch (FtpPath.BadNameException e) {
            refuseAll(new RequestFailure(Reason.BAD_NAME, e.why()));
            return;
        }
        find(target, (directory, unused) -> {
            isDirectory = directory || command.path().endsWith("/");
            if (command.intoDirectory() && !isDirectory) {
                refuseAll(new RequestFailure(Reason.CONFLICT, RequestFailure.NOT_DIRECTORY));
            } else {
                yes();
                goOn();
            }
        });
    }

    private void refuseAll(RequestFailure why) {
        failed(target, why);
        end(false);
    }

    /** Finds whether a directory is at {@code path}; what is not known is none. */
    private void find(FtpPath path, BiConsumer<Boolean, Optional<RequestFailure>> found) {
        boolean isTopic =
                client.names().place(path).map(Namespace.Place::isTopic).orElse(false);
        if (path.isRoot() || isTopic) {
            found.accept(true, Optional.empty());
        } else if (!client.account().seesNames()) {
            found.accept(false, Optional.empty());
        } else {
            client.names()
                    .paths()
                    .find(
                            path,
                            client.account().name(),
                            there -> found.accept(there.facts().directory(), Optional.empty()),
                            (why, told) -> found.accept(false, Optional.of(told)));
        }
    }

    @Override
    boolean takesData() {
        return file != null && position < size;
    }

    @Override
    void data(ByteBuffer bytes) {
        OpenUpload open = file;
        if (open == null) {
            return;
        }
        int count = (int) Math.min(bytes.remaining(), size - position);
        ByteBuffer part = bytes.slice(bytes.position(), count);
        bytes.position(bytes.position() + count);
        long at = position;
        position += count;
        pause();
        open.write(at, part, outcome -> {
            failure = failure == null ? outcome.orElse(null) : failure;
            outlet.consumed(count);
            goOn();
        });
    }

    /** After a file: whether it was read well. */
    @Override
    boolean single(int value) {
        OpenUpload open = file;
        if (open == null) {
            return value == 0;
        }
        if (value != 0) {
            file = null;
            failsAfterData = true;
            open.clientGone();
            return false; // a sentence follows
        }
        close(open);
        return true;
    }

    private void close(OpenUpload open) {
        file = null;
        modifiedSeconds.ifPresent(seconds -> {
            var unused = open.set(
                    new FileAttributes(OptionalLong.empty(), OptionalInt.empty(), OptionalLong.of(seconds), false));
        });
        modifiedSeconds = OptionalLong.empty();
        RequestFailure broken = failure;
        failure = null;
        if (broken != null) {
            open.clientGone();
            failed(open.path(), broken);
            return;
        }
        pause();
        open.close(0, outcome -> {
            outcome.ifPresentOrElse(why -> failed(open.path(), why), this::yes);
            goOn();
        });
        open.clientActed(); // it has said that this was all
    }

    @Override
    void line(String text) {
        Matcher entry = FILE.matcher(text);
        Matcher times = TIMES.matcher(text);
        if (entry.matches()) {
            entry(
                    entry.group(1).equals("D"),
                    Integer.parseInt(entry.group(2), 8),
                    Long.parseLong(entry.group(3)),
                    entry.group(4));
        } else if (times.matches()) {
            modifiedSeconds = OptionalLong.of(Long.parseLong(times.group(1)));
            yes();
        } else if (text.equals("E") && !directories.isEmpty()) {
            directories.pop();
            yes();
        } else if (text.startsWith("\u0001")) {
            failedThere();
            if (failsAfterData) {
                failsAfterData = false;
                yes();
            }
        } else {
            failed(target, new RequestFailure(Reason.FAILED, "unexpected line"));
            end(false);
        }
    }

    private void entry(boolean directory, int mode, long bytes, String name) {
        FtpPath into = directories.isEmpty() ? target : directories.peek();
        FtpPath path = directories.isEmpty() && !isDirectory ? target : child(into, name);
        if (path == null) {
            failed(into, new RequestFailure(Reason.BAD_NAME, "no file has the name " + name));
        } else if (directory) {
            enter(path);
        } else {
            open(path, mode, bytes);
        }
    }

    private void enter(FtpPath path) {
        modifiedSeconds = OptionalLong.empty();
        Optional<RequestFailure> denied = client.refusal(Permission.WRITE);
        if (denied.isPresent() || !command.recursive()) {
            failed(path, denied.orElseGet(() -> RequestFailure.conflict(RequestFailure.IS_DIRECTORY)));
            return;
        }
        pause();
        find(path, (there, unused) -> {
            if (there) {
                entered(path);
                return;
            }
            client.changes().makeDirectory(path, outcome -> {
                client.notes().changed("mkdir", path.toString(), outcome);
                if (outcome.isPresent()) {
                    failed(path, outcome.get());
                    goOn();
                } else {
                    entered(path);
                }
            });
        });
    }

    private void entered(FtpPath path) {
        directories.push(path);
        yes();
        goOn();
    }

    private void open(FtpPath path, int mode, long bytes) {
        pause();
        FileAttributes attributes =
                new FileAttributes(OptionalLong.empty(), OptionalInt.of(mode & 0777), OptionalLong.empty(), false);
        new UploadOpener(
                        client,
                        path,
                        new OpenFlags(false, true, true, true, false),
                        attributes,
                        opened -> {
                            if (isLeft()) {
                                opened.clientGone();
                                goOn();
                                return;
                            }
                            file = opened;
                            position = 0;
                            size = bytes;
                            yes();
                            goOn();
                        },
                        why -> {
                            failed(path, why);
                            goOn();
                        })
                .open();
    }

    @Override
    boolean clientLeft() {
        OpenUpload open = file;
        file = null;
        if (open != null) {
            open.clientGone();
        }
        return open == null;
    }
}
