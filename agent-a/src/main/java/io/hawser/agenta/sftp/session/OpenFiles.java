package io.hawser.agenta.sftp.session;

import io.hawser.agenta.namespace.RequestFailure;
import io.hawser.agenta.namespace.RequestFailure.Reason;
import io.hawser.agenta.sftp.wire.BadPacketException;
import io.hawser.agenta.sftp.wire.PacketReader;
import io.hawser.core.ftp.FtpPath;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The open files of a session, by handle, and the uploads that are ending.
 *
 * <p>Thread: the loop.
 */
final class OpenFiles {
    static final RequestFailure NO_SUCH_HANDLE = new RequestFailure(Reason.FAILED, "No file is open with this handle");
    static final RequestFailure TOO_MANY = new RequestFailure(Reason.FAILED, "Too many open files");

    private static final int MAX_OPEN = 1024;

    private final Map<Integer, OpenFile> byHandle = new HashMap<>();
    private final Set<OpenUpload> ending = new LinkedHashSet<>();
    /** Files that are being opened have their place already. */
    private int opening;

    /** Those of them that will be written, with what waits for that. */
    private final Map<FtpPath, List<Runnable>> beingOpened = new HashMap<>();

    private int last;
    private boolean over;

    /** Takes the place of one more file; false if there are too many. {@link #add} or {@link #notOpened} follows. */
    boolean mayOpen() {
        if (byHandle.size() + opening >= MAX_OPEN) {
            return false;
        }
        opening++;
        return true;
    }

    void notOpened() {
        opening--;
    }

    /** {@code path} is being opened to be written: sshfs asks for its attributes before it has the answer. {@link #writeOpened} follows. */
    void opensToWrite(FtpPath path) {
        beingOpened.put(path, new ArrayList<>());
    }

    /** It is open by now, or was refused. */
    void writeOpened(FtpPath path) {
        List<Runnable> waiting = beingOpened.remove(path);
        if (waiting != null) {
            waiting.forEach(Runnable::run);
        }
    }

    /** The handle of a file that has been opened. */
    byte[] add(OpenFile file) {
        opening--;
        if (over) {
            file.clientGone();
            return new byte[0];
        }
        byHandle.put(++last, file);
        return ByteBuffer.allocate(Integer.BYTES).putInt(last).array();
    }

    private static int number(PacketReader body) throws BadPacketException {
        ByteBuffer handle = body.string();
        return handle.remaining() == Integer.BYTES ? handle.getInt() : 0;
    }

    /** The file whose handle stands next. */
    Optional<OpenFile> find(PacketReader body) throws BadPacketException {
        return Optional.ofNullable(byHandle.get(number(body)));
    }

    /** The same, whose handle means nothing any more. */
    Optional<OpenFile> take(PacketReader body) throws BadPacketException {
        return Optional.ofNullable(byHandle.remove(number(body)));
    }

    /** {@code file} is closed, and it is not known yet what comes of it. */
    void ends(OpenUpload file) {
        ending.add(file);
        file.whenEnded(() -> ending.remove(file));
    }

    /** The client has sent something after what it closed. */
    void clientActed() {
        if (!ending.isEmpty()) {
            List.copyOf(ending).forEach(OpenUpload::clientActed);
        }
    }

    /** The file at {@code path} that this session writes, the newest. */
    Optional<OpenUpload> written(FtpPath path) {
        return byHandle.entrySet().stream()
                .filter(entry -> entry.getValue() instanceof OpenUpload
                        && entry.getValue().path().equals(path))
                .max(Map.Entry.comparingByKey())
                .map(entry -> (OpenUpload) entry.getValue());
    }

    /** The client deletes what is at {@code path}: uploads of it that it has closed and that are not complete are dropped. Whether there were any. */
    boolean drop(FtpPath path) {
        boolean dropped = false;
        for (OpenUpload file : List.copyOf(ending)) {
            dropped |= file.path().equals(path) && file.drop();
        }
        return dropped;
    }

    /**
     * Runs {@code action} when {@code path} is not being opened, and no upload to it, above or below it is ending: a client need not await the
     * answers to OPEN and CLOSE.
     */
    void whenSettled(FtpPath path, Runnable action) {
        List<Runnable> waiting = beingOpened.get(path);
        if (waiting != null) {
            waiting.add(() -> whenSettled(path, action));
            return;
        }
        Optional<OpenUpload> inTheWay = ending.stream()
                .filter(file -> file.path().isAtOrBelow(path) || path.isAtOrBelow(file.path()))
                .findFirst();
        if (inTheWay.isPresent()) {
            inTheWay.get().whenEnded(() -> whenSettled(path, action));
        } else if (!over) {
            action.run();
        }
    }

    void clientGone() {
        over = true;
        List<OpenFile> all = List.copyOf(byHandle.values());
        byHandle.clear();
        all.forEach(OpenFile::clientGone);
        List.copyOf(ending).forEach(OpenUpload::clientGone);
    }
}
