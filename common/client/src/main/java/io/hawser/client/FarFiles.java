package io.hawser.client;

import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Topic;
import io.hawser.core.remote.CallTimeouts;
import io.hawser.core.remote.ChecksumAlgorithm;
import io.hawser.core.remote.RemoteFile;
import io.hawser.core.remote.RemoteFiles;
import io.hawser.core.transport.NodeThreads;
import io.netty.channel.EventLoop;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

/**
 * The files at a topic's far end, as its far end shows them. Names are segments joined by {@code /}; the empty name is the top. Questions go
 * by the broker, and need its rights {@code list} and {@code read} on the topic. While no broker or far end is connected they wait; after a
 * lost session they are repeated.
 *
 * <p>Any thread may call any method except a callback on {@code hawser-callbacks}, because all of them block. They throw a {@link
 * HawserException} if the far end refuses ({@link HawserException.Reason#NOT_FOUND}, {@link HawserException.Reason#NOT_ALLOWED}, {@link
 * HawserException.Reason#SOURCE_CHANGED}), or if nobody answers in time ({@link HawserException.Reason#UNREACHABLE}).
 */
public final class FarFiles {
    /** A far end that has a question about a name, and does not answer for so long, is given up. */
    private static final Duration SILENCE = Duration.ofMinutes(1);

    private final EventLoop loop;
    private final RemoteFiles files;
    private final Topic topic;
    private final int blockBytes;
    private final Duration away;

    FarFiles(EventLoop loop, RemoteFiles files, Topic topic, int blockBytes, Duration away) {
        this.loop = loop;
        this.files = files;
        this.topic = topic;
        this.blockBytes = blockBytes;
        this.away = away;
    }

    /**
     * The facts of a file or directory.
     *
     * @throws IOException as the class says, or if the client is closed
     */
    public FarFile stat(String name) throws IOException {
        return FarFile.of(ask(done -> files.stat(topic, name, new CallTimeouts(away, away.plus(SILENCE)), done)));
    }

    /**
     * The entries of a directory, by name.
     *
     * @throws IOException as the class says, or if the client is closed
     */
    public List<FarFile> list(String name) throws IOException {
        CallTimeouts timeouts = new CallTimeouts(away, away.plus(SILENCE));
        List<RemoteFile> entries = ask(done -> files.list(topic, name, timeouts, done));
        return entries.stream().map(FarFile::of).toList();
    }

    /**
     * The SHA-256 of a file's bytes, in lower-case hex, as the far end computes it. Takes as long as reading them there.
     *
     * @throws IOException as the class says, or if the client is closed
     */
    public String sha256(String name) throws IOException {
        return ask(done -> {
            var unused = files.checksum(topic, name, ChecksumAlgorithm.SHA256, 0, -1, away, done);
        });
    }

    /**
     * Opens one version of a file from an offset on. The stream reads ahead, and throws a {@link HawserException} with {@link
     * HawserException.Reason#SOURCE_CHANGED} if the file changes before its end.
     *
     * @param name its name
     * @param file its facts, as {@link #stat} returned them
     * @param offset 0 to its size
     */
    public InputStream open(String name, FarFile file, long offset) {
        FarFileStream.Source source =
                (at, length, done) -> files.read(topic, name, file.version(), at, length, away, done);
        return new FarFileStream(loop, source, offset, file.sizeBytes(), blockBytes);
    }

    private <T> T ask(Consumer<Outcome.Callback<T>> question) throws IOException {
        CompletableFuture<T> answer = new CompletableFuture<>();
        try {
            loop.execute(() -> question.accept(outcome -> complete(answer, outcome)));
        } catch (RejectedExecutionException e) {
            throw new IOException("the client is closed", e);
        }
        return NodeThreads.await(answer);
    }

    static <T> void complete(CompletableFuture<T> answer, Outcome<T> outcome) {
        Refusal refusal = outcome.refusal();
        if (refusal == null) {
            answer.complete(outcome.get());
        } else {
            answer.completeExceptionally(new HawserException(refusal));
        }
    }
}
