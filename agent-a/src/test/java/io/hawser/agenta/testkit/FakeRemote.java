package io.hawser.agenta.testkit;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.model.Topic;
import io.hawser.core.remote.CallTimeouts;
import io.hawser.core.remote.ChecksumAlgorithm;
import io.hawser.core.remote.RemoteBlock;
import io.hawser.core.remote.RemoteFile;
import io.hawser.core.remote.RemoteFiles;
import io.hawser.core.remote.RunningChecksum;
import io.netty.channel.EventLoop;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A far end in memory. It can be away (questions wait for their patience), slow, and its files can change.
 *
 * <p>Thread: the loop answers; a test may change it from any thread.
 */
public final class FakeRemote implements RemoteFiles {
    private final EventLoop loop;
    private final FragmentBufferPool pool;
    private final TreeMap<String, Node> nodes = new TreeMap<>();
    private final Set<String> linksOut = new HashSet<>();
    private final Set<String> unreadable = new HashSet<>();
    private final Set<String> tooLong = new HashSet<>();
    private final TreeMap<String, String> links = new TreeMap<>();
    public final AtomicInteger stats = new AtomicInteger();
    private final List<Runnable> waiting = new ArrayList<>();
    private boolean away = true;
    private boolean held;
    private boolean looksHeld;
    private boolean listsHeld;
    private boolean oneLook;
    private boolean silent;
    private boolean application;
    private boolean closed;
    private boolean rootless;
    private int open;
    public final AtomicInteger lists = new AtomicInteger();
    public final AtomicInteger reads = new AtomicInteger();

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Node(byte @Nullable [] content, long modifiedMillis, int mode, long version) {}

    /** A far end that is away until {@link #connect}; its reads take their memory from {@code buffers} buffers. */
    public FakeRemote(EventLoop loop, int fragmentBytes, int buffers) {
        this.loop = loop;
        this.pool = new FragmentBufferPool(fragmentBytes, buffers);
    }

    /** It is there, with one topic's directory. */
    public FakeRemote connect() {
        synchronized (this) {
            away = false;
        }
        wake();
        return this;
    }

    /** It is away. */
    public synchronized void disconnect() {
        away = true;
    }

    /** Reads wait until {@link #goOn}. */
    public synchronized void hold() {
        held = true;
    }

    /** Looks at names wait until {@link #goOn}. */
    public synchronized void holdLooks() {
        looksHeld = true;
    }

    /** Listings wait until {@link #goOn}; looks at names do not. */
    public synchronized void holdLists() {
        listsHeld = true;
    }

    /** The look at a name that waits longest is answered, and the others go on waiting. */
    public void answerOneLook() {
        Runnable eldest;
        synchronized (this) {
            eldest = waiting.remove(0);
        }
        CompletableFuture.runAsync(
                        () -> {
                            synchronized (this) {
                                oneLook = true;
                            }
                            eldest.run();
                        },
                        loop)
                .join();
    }

    /** It is there and takes questions, and answers none until {@link #goOn}. */
    public synchronized void fallSilent() {
        silent = true;
    }

    /** It is there, and an application: there are no files. */
    public synchronized void becomeApplication() {
        application = true;
    }

    /** It is there, takes files, and was told to show none. */
    public synchronized void close() {
        closed = true;
    }

    /** Questions that somebody still waits for. */
    public synchronized int openQuestions() {
        return open;
    }

    /** Questions are answered. */
    public void goOn() {
        synchronized (this) {
            held = false;
            looksHeld = false;
            listsHeld = false;
            silent = false;
        }
        wake();
    }

    private void wake() {
        List<Runnable> all;
        synchronized (this) {
            all = List.copyOf(waiting);
            waiting.clear();
        }
        all.forEach(loop::execute);
    }

    /** A file of {@code /site-b}, and the directories above it. */
    public synchronized FakeRemote file(String name, byte[] content) {
        int slash = name.lastIndexOf('/');
        if (slash > 0) {
            directory(name.substring(0, slash));
        }
        nodes.put(name, new Node(content, 1_700_000_000_000L, 0640, System.nanoTime()));
        return this;
    }

    /** A directory of {@code /site-b}, and the ones above it. */
    public synchronized FakeRemote directory(String name) {
        for (int slash = name.indexOf('/'); slash > 0; slash = name.indexOf('/', slash + 1)) {
            nodes.putIfAbsent(name.substring(0, slash), new Node(null, 1_700_000_000_000L, 0755, System.nanoTime()));
        }
        nodes.putIfAbsent(name, new Node(null, 1_700_000_000_000L, 0755, System.nanoTime()));
        return this;
    }

    /** A symbolic link of {@code /site-b} to a file or directory in it. */
    public synchronized FakeRemote link(String name, String to) {
        links.put(name, to);
        return this;
    }

    /** A symbolic link of {@code /site-b} that leads out. */
    public synchronized FakeRemote linkOut(String name) {
        linksOut.add(name);
        return this;
    }

    /** A name of {@code /site-b} that may not be looked at. */
    public synchronized void unreadable(String name) {
        unreadable.add(name);
    }

    /** A name of {@code /site-b} that makes a path that is too long there. */
    public synchronized void tooLong(String name) {
        tooLong.add(name);
    }

    /** The directory of {@code /site-b} itself is not there, such as one that is not mounted. */
    public synchronized void withoutRoot() {
        rootless = true;
    }

    public synchronized void remove(String name) {
        nodes.remove(name);
    }

    /** How many buffers of its reads somebody holds. */
    public int buffersOut() {
        return pool.capacity() - pool.available();
    }

    private static RemoteFile describe(String name, Node node) {
        byte[] content = node.content;
        return new RemoteFile(
                name.substring(name.lastIndexOf('/') + 1),
                content == null ? RemoteFile.Kind.DIRECTORY : RemoteFile.Kind.FILE,
                content == null ? 0 : content.length,
                node.modifiedMillis,
                node.mode,
                "v" + node.version);
    }

    private Outcome<RemoteFile> found(String name, String real, String prefix) {
        Node node = node(real);
        if (node == null) {
            return Outcome.refused(ErrorCode.NOT_FOUND, "No such file or directory");
        }
        RemoteFile file = describe(name, node);
        return Outcome.of(new RemoteFile(
                file.name(),
                file.kind(),
                file.sizeBytes(),
                file.modifiedMillis(),
                file.mode(),
                prefix + file.fingerprint()));
    }

    private @Nullable Node node(String name) {
        if (name.isEmpty() && rootless) {
            return null;
        }
        return name.isEmpty() ? new Node(null, 1_700_000_000_000L, 0755, System.nanoTime()) : nodes.get(name);
    }

    @Override
    public void stat(Topic topic, String name, CallTimeouts patience, Outcome.Callback<RemoteFile> done) {
        answer(patience, Kind.LOOK, done, () -> {
            stats.incrementAndGet();
            if (tooLong.contains(name)) {
                return Outcome.refused(ErrorCode.BAD_NAME, "File name too long");
            }
            if (unreadable.contains(name)) {
                return Outcome.refused(ErrorCode.NOT_ALLOWED, "Permission denied");
            }
            if (linksOut.contains(name)) {
                return Outcome.refused(ErrorCode.NOT_ALLOWED, LEADS_OUT);
            }
            for (int slash = name.indexOf('/'); slash > 0; slash = name.indexOf('/', slash + 1)) {
                Node above = node(name.substring(0, slash));
                if (above != null && above.content != null) {
                    return Outcome.refused(ErrorCode.NOT_DIRECTORY, "Not a directory");
                }
            }
            for (Map.Entry<String, String> link : links.entrySet()) {
                boolean itself = name.equals(link.getKey());
                if (itself || name.startsWith(link.getKey() + "/")) {
                    return found(
                            name,
                            link.getValue() + name.substring(link.getKey().length()),
                            itself ? RemoteFile.LINK_PREFIX : RemoteFile.BELOW_LINK_PREFIX);
                }
            }
            return found(name, name, "");
        });
    }

    @Override
    public void list(Topic topic, String name, CallTimeouts patience, Outcome.Callback<List<RemoteFile>> done) {
        answer(patience, Kind.LIST, done, () -> {
            lists.incrementAndGet();
            if (unreadable.contains(name)) {
                return Outcome.refused(ErrorCode.NOT_ALLOWED, "Permission denied");
            }
            Node node = node(name);
            if (node == null) {
                return Outcome.refused(ErrorCode.NOT_FOUND, "No such file or directory");
            }
            if (node.content != null) {
                return Outcome.refused(ErrorCode.NOT_DIRECTORY, "Not a directory");
            }
            String prefix = name.isEmpty() ? "" : name + "/";
            List<RemoteFile> entries = new ArrayList<>();
            nodes.forEach((path, child) -> {
                if (path.startsWith(prefix) && path.indexOf('/', prefix.length()) < 0) {
                    entries.add(describe(path, child));
                }
            });
            return Outcome.of(entries);
        });
    }

    @Override
    public Call read(
            Topic topic,
            String name,
            String fingerprint,
            long offset,
            int length,
            Duration patience,
            Outcome.Callback<RemoteBlock> done) {
        return answer(CallTimeouts.whileAway(patience), Kind.READ, done, () -> {
            reads.incrementAndGet();
            Node node = node(name);
            if (node == null) {
                return Outcome.refused(ErrorCode.NOT_FOUND, "No such file or directory");
            }
            byte[] content = node.content;
            if (content == null) {
                return Outcome.refused(ErrorCode.IS_DIRECTORY, "Is a directory");
            }
            RemoteFile file = describe(name, node);
            if (!fingerprint.isEmpty() && !fingerprint.equals(file.fingerprint())) {
                return Outcome.refused(ErrorCode.SOURCE_CHANGED, "the file has changed");
            }
            FragmentBuffer buffer = Objects.requireNonNull(pool.tryAcquire(), "more reads than buffers");
            int count = (int) Math.max(0, Math.min(length, content.length - offset));
            buffer.payload(0, count).put(content, (int) Math.min(offset, content.length), count);
            return Outcome.of(new RemoteBlock(buffer, count, file));
        });
    }

    @Override
    public Call checksum(
            Topic topic,
            String name,
            ChecksumAlgorithm algorithm,
            long offset,
            long length,
            Duration patience,
            Outcome.Callback<String> done) {
        return answer(CallTimeouts.whileAway(patience), Kind.READ, done, () -> {
            Node node = node(name);
            byte[] content = node == null ? null : node.content;
            if (content == null) {
                return Outcome.refused(ErrorCode.NOT_FOUND, "No such file or directory");
            }
            int end = length < 0 ? content.length : (int) Math.min(content.length, offset + length);
            RunningChecksum sum = RunningChecksum.of(algorithm);
            sum.update(ByteBuffer.wrap(content, (int) offset, end - (int) offset));
            return Outcome.of(sum.hex());
        });
    }

    private <T> Call answer(CallTimeouts patience, Kind kind, Outcome.Callback<T> done, Supplier<Outcome<T>> answer) {
        Asked<T> asked = new Asked<>(kind, done, answer);
        loop.execute(() -> tryAnswer(asked));
        giveUp(asked, patience.away(), RemoteFiles.AWAY);
        giveUp(asked, patience.silent(), RemoteFiles.SILENT);
        return () -> settle(asked);
    }

    private enum Kind {
        LOOK,
        LIST,
        READ
    }

    private final class Asked<T> {
        private final Kind kind;
        private final Outcome.Callback<T> done;
        private final Supplier<Outcome<T>> answer;
        private boolean settled;

        Asked(Kind kind, Outcome.Callback<T> done, Supplier<Outcome<T>> answer) {
            this.kind = kind;
            this.done = done;
            this.answer = answer;
            synchronized (FakeRemote.this) {
                open++;
            }
        }
    }

    /** Whether it was open. */
    private synchronized boolean settle(Asked<?> asked) {
        boolean first = !asked.settled;
        asked.settled = true;
        open -= first ? 1 : 0;
        return first;
    }

    private <T> void giveUp(Asked<T> asked, Duration time, String why) {
        var unused = loop.schedule(
                () -> {
                    if ((isAway() || !why.equals(RemoteFiles.AWAY)) && settle(asked)) {
                        asked.done.accept(Outcome.refused(ErrorCode.UNREACHABLE, why));
                    }
                },
                time.toMillis(),
                TimeUnit.MILLISECONDS);
    }

    private synchronized boolean isAway() {
        return away;
    }

    private synchronized boolean isHeld(Kind kind) {
        return switch (kind) {
            case READ -> held;
            case LIST -> listsHeld || (looksHeld && !oneLook);
            case LOOK -> looksHeld && !oneLook;
        };
    }

    private <T> void tryAnswer(Asked<T> asked) {
        Outcome<T> outcome;
        synchronized (this) {
            if (asked.settled) {
                return;
            }
            if (away || silent || isHeld(asked.kind)) {
                waiting.add(() -> tryAnswer(asked));
                return;
            }
            oneLook = false;
            boolean unused = settle(asked);
            outcome = application || closed
                    ? Outcome.refused(ErrorCode.NOT_ALLOWED, closed ? CLOSED : APPLICATION)
                    : asked.answer.get();
        }
        asked.done.accept(outcome);
    }
}
