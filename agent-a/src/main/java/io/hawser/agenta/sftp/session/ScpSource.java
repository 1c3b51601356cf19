package io.hawser.agenta.sftp.session;

import io.hawser.agenta.account.Permission;
import io.hawser.agenta.download.RequestedRange;
import io.hawser.agenta.download.SourceSearch;
import io.hawser.agenta.download.VersionedSource;
import io.hawser.agenta.namespace.DirectoryLister;
import io.hawser.agenta.namespace.PathFacts;
import io.hawser.agenta.namespace.RequestFailure;
import io.hawser.agenta.namespace.RequestFailure.Reason;
import io.hawser.core.ftp.FtpPath;
import java.nio.ByteBuffer;
import java.util.Iterator;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Sends files in scp's older protocol.
 *
 * <p>Thread: the loop.
 */
final class ScpSource extends ScpSession {
    private static final int PIECE_BYTES = 128 << 10;
    private static final int FATAL = 2;

    private final ScpCommand command;
    private @Nullable Runnable afterAnswer;
    private @Nullable OpenDownload file;
    /** What follows if the client does not want what it was told of. */
    private @Nullable Runnable afterRefusal;

    private long position;

    ScpSource(ClientContext client, Outlet outlet, ScpCommand command) {
        super(client, outlet);
        this.command = command;
    }

    @Override
    public void begin() {
        afterAnswer = this::sendAll;
    }

    private void sendAll() {
        FtpPath path;
        try {
            path = client.resolve(command.path());
        } catch (FtpPath.BadNameException e) {
            refuse(client.account().root(), new RequestFailure(Reason.BAD_NAME, e.why()), () -> end(true));
            return;
        }
        client.names()
                .paths()
                .findFacts(
                        path,
                        client.account().name(),
                        found -> send(path, found.facts(), () -> end(true)),
                        (why, failure) ->
                                refuse(path, client.refusal(Permission.READ).orElse(failure), () -> end(true)));
    }

    private void refuse(FtpPath path, RequestFailure why, Runnable then) {
        failed(path, why);
        then.run();
    }

    private void send(FtpPath path, PathFacts facts, Runnable then) {
        Optional<RequestFailure> denied = client.refusal(Permission.READ);
        if (denied.isPresent()) {
            refuse(path, denied.get(), then);
        } else if (!facts.directory()) {
            open(path, facts, then);
        } else if (command.recursive()) {
            list(path, facts, then);
        } else {
            refuse(path, new RequestFailure(Reason.CONFLICT, "not a regular file"), then);
        }
    }

    private void list(FtpPath path, PathFacts facts, Runnable then) {
        Optional<RequestFailure> denied = client.refusal(Permission.LIST);
        if (denied.isPresent()) {
            refuse(path, denied.get(), then);
            return;
        }
        new DirectoryLister(
                        client.names(),
                        path,
                        client.account().name(),
                        false,
                        listed -> {
                            Iterator<PathFacts> entries = listed.entries().iterator();
                            announce(
                                    facts,
                                    String.format(Locale.ROOT, "D%04o 0 %s\n", facts.mode(), name(path)),
                                    () -> sendEntries(path, entries, then),
                                    then);
                        },
                        failure -> refuse(path, failure, then))
                .ask();
    }

    private static String name(FtpPath path) {
        return path.isRoot() ? "." : path.name();
    }

    private void sendEntries(FtpPath directory, Iterator<PathFacts> entries, Runnable then) {
        if (!entries.hasNext()) {
            say("E\n");
            afterAnswer = then;
            return;
        }
        PathFacts entry = entries.next();
        Runnable next = () -> sendEntries(directory, entries, then);
        FtpPath path = child(directory, entry.name());
        if (path == null) {
            refuse(directory, new RequestFailure(Reason.BAD_NAME, "no file has the name " + entry.name()), next);
        } else {
            send(path, entry, next);
        }
    }

    /** Times if they are wanted, and then {@code line}; each has an answer. */
    private void announce(PathFacts facts, String line, Runnable then, Runnable skip) {
        Runnable itself = () -> {
            say(line);
            afterAnswer = then;
            afterRefusal = skip;
        };
        if (command.times()) {
            long seconds = TimeUnit.MILLISECONDS.toSeconds(facts.modifiedMillis());
            say("T" + seconds + " 0 " + seconds + " 0\n");
            afterAnswer = itself;
            afterRefusal = skip;
        } else {
            itself.run();
        }
    }

    private void open(FtpPath path, PathFacts facts, Runnable then) {
        new SourceSearch(
                        client.services().files().downloads(),
                        path,
                        client.account().name(),
                        RequestedRange.ALL,
                        (source, found) -> opened(path, facts, source, then),
                        failure -> refuse(path, failure, then))
                .begin();
    }

    private void opened(FtpPath path, PathFacts facts, VersionedSource source, Runnable then) {
        OpenDownload open =
                new OpenDownload(path, source, client.services().files().downloads(), client.notes());
        if (isLeft()) {
            open.clientGone();
            return;
        }
        file = open;
        position = 0;
        announce(
                facts,
                String.format(Locale.ROOT, "C%04o %d %s\n", facts.mode(), open.sizeBytes(), name(path)),
                () -> pumpFile(open, then),
                () -> {
                    file = null;
                    open.close();
                    then.run();
                });
    }

    private void pumpFile(OpenDownload open, Runnable then) {
        if (isLeft()) {
            return;
        }
        if (position == open.sizeBytes()) {
            file = null;
            open.close();
            yes();
            afterAnswer = then;
        } else if (outlet.isFull()) {
            outlet.whenDrained(() -> pumpFile(open, then));
        } else {
            byte[] piece = new byte[(int) Math.min(PIECE_BYTES, open.sizeBytes() - position)];
            open.read(position, ByteBuffer.wrap(piece), outcome -> {
                if (outcome.isPresent()) {
                    end(false); // so many bytes were announced: nothing else can be said any more
                } else {
                    outlet.send(piece);
                    position += piece.length;
                    client.services().loop().execute(() -> pumpFile(open, then));
                }
            });
        }
    }

    @Override
    boolean takesData() {
        return false;
    }

    @Override
    void data(ByteBuffer bytes) {
        throw new IllegalStateException("the client sends no files");
    }

    @Override
    boolean single(int value) {
        if (value == FATAL) {
            end(false);
            return true;
        }
        if (value != 0) {
            return false; // a sentence follows
        }
        answered();
        return true;
    }

    private void answered() {
        Runnable next = afterAnswer;
        afterAnswer = null;
        afterRefusal = null;
        if (next != null) {
            next.run();
        }
    }

    /** What the client could not do with what it was told. */
    @Override
    void line(String text) {
        failedThere();
        if (afterRefusal != null) {
            afterAnswer = afterRefusal;
        }
        answered();
    }

    @Override
    boolean clientLeft() {
        OpenDownload open = file;
        file = null;
        if (open != null) {
            open.clientGone();
        }
        return open == null;
    }
}
