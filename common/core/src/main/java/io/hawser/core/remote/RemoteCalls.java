package io.hawser.core.remote;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Printable;
import io.hawser.core.model.Topic;
import io.hawser.core.model.Utf8;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Client side of remote calls: asks the far end about its files over the session with the broker.
 *
 * <p>Thread: the loop.
 */
public final class RemoteCalls implements RemoteFiles {
    /** The most entries of a listing, which is on the heap. */
    public static final int MAX_ENTRIES = 200_000;

    private final CallTable table;
    private final int longestRead;

    /**
     * Creates it without a session; {@link #handler} learns of sessions.
     *
     * @param reads memory for blocks: bounds how many are in flight or held by readers
     * @param pages memory for listings: bounds how many pages are in flight
     * @param nanoClock the clock of {@link CallHandler#tick}
     */
    public RemoteCalls(FragmentBufferPool reads, FragmentBufferPool pages, Executor loop, LongSupplier nanoClock) {
        this.table = new CallTable(reads, pages, loop, nanoClock);
        this.longestRead = reads.payloadCapacity();
    }

    /** The handler of sessions and their messages. */
    public CallHandler handler() {
        return table;
    }

    @Override
    public void stat(Topic topic, String name, CallTimeouts timeouts, Outcome.Callback<RemoteFile> done) {
        var unused = ask(topic, new Question.Stat(name), timeouts, refusalTo(done), (answer, buffer, length) -> {
            if (answer instanceof Answer.OfFile of) {
                String segment = of.file().name();
                done.accept(
                        segment.isEmpty() || RemoteFile.isEntryName(segment)
                                ? Outcome.of(of.file())
                                : Outcome.refused(
                                        ErrorCode.MALFORMED,
                                        "The far end sent \"" + Printable.shortly(segment)
                                                + "\" as the last segment of a name"));
            }
        });
    }

    @Override
    public Call checksum(
            Topic topic,
            String name,
            ChecksumAlgorithm algorithm,
            long offset,
            long length,
            Duration awayTimeout,
            Outcome.Callback<String> done) {
        Question question = new Question.Checksum(name, algorithm, offset, length);
        return ask(topic, question, CallTimeouts.whileAway(awayTimeout), refusalTo(done), (answer, buffer, bytes) -> {
            if (answer instanceof Answer.OfChecksum of) {
                done.accept(Outcome.of(of.hex()));
            }
        });
    }

    @Override
    public Call read(
            Topic topic,
            String name,
            String fingerprint,
            long offset,
            int length,
            Duration awayTimeout,
            Outcome.Callback<RemoteBlock> done) {
        if (length > longestRead) {
            throw new IllegalArgumentException("a block of " + length + " bytes; " + longestRead + " at most");
        }
        Question question = new Question.Read(name, fingerprint, offset, length);
        return ask(topic, question, CallTimeouts.whileAway(awayTimeout), refusalTo(done), (answer, buffer, bytes) -> {
            if (answer instanceof Answer.OfBlock of && buffer != null) {
                done.accept(Outcome.of(new RemoteBlock(buffer, bytes, of.file())));
            }
        });
    }

    @Override
    public void list(Topic topic, String name, CallTimeouts timeouts, Outcome.Callback<List<RemoteFile>> done) {
        listFrom("", new ArrayList<>(), topic, name, timeouts, done);
    }

    private void listFrom(
            String after,
            List<RemoteFile> known,
            Topic topic,
            String name,
            CallTimeouts timeouts,
            Outcome.Callback<List<RemoteFile>> done) {
        Question question = new Question.ListPage(name, after);
        var unused = ask(topic, question, timeouts, refusalTo(done), (answer, buffer, length) -> {
            Refusal refusal = addPage(known, buffer, length);
            String next = answer instanceof Answer.OfPage page ? page.next() : "";
            if (refusal != null) {
                done.accept(new Outcome<>(null, refusal));
            } else if (next.isEmpty()) {
                done.accept(Outcome.of(known));
            } else if (next.compareTo(after) > 0) {
                listFrom(next, known, topic, name, timeouts, done);
            } else {
                done.accept(
                        Outcome.refused(ErrorCode.MALFORMED, "The far end sent a listing whose pages do not advance"));
            }
        });
    }

    /** Adds a page's entries, and releases it. */
    private static @Nullable Refusal addPage(List<RemoteFile> known, @Nullable FragmentBuffer buffer, int length) {
        if (buffer == null) {
            return new Refusal(ErrorCode.MALFORMED, "The far end sent a page without entries");
        }
        try {
            List<RemoteFile> page = RemoteFileCodec.getAll(buffer.payload(0, length));
            if (known.size() + page.size() > MAX_ENTRIES) {
                return new Refusal(ErrorCode.TOO_LARGE, "The directory has more than " + MAX_ENTRIES + " entries");
            }
            for (RemoteFile file : page) {
                if (!RemoteFile.isEntryName(file.name())) {
                    return new Refusal(
                            ErrorCode.MALFORMED,
                            "The far end listed \"" + Printable.shortly(file.name())
                                    + "\", which is no valid name of an entry");
                }
            }
            known.addAll(page);
            return null;
        } catch (IllegalArgumentException e) {
            return new Refusal(ErrorCode.MALFORMED, "The far end sent a malformed page: " + e.getMessage());
        } finally {
            buffer.release();
        }
    }

    private static <T> Consumer<Refusal> refusalTo(Outcome.Callback<T> done) {
        return refusal -> done.accept(new Outcome<>(null, refusal));
    }

    private Call ask(
            Topic topic,
            Question question,
            CallTimeouts timeouts,
            Consumer<Refusal> onRefused,
            PendingCall.Listener onAnswer) {
        PendingCall call = new PendingCall(topic, question, timeouts, onAnswer, onRefused);
        if (Utf8.length(question.name()) > Question.MAX_NAME_LENGTH_BYTES) {
            table.refuse(call, new Refusal(ErrorCode.BAD_NAME, "File name too long"));
        } else {
            table.ask(call);
        }
        return () -> table.cancel(call);
    }
}
