package io.hawser.agentb.files;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Topic;
import io.hawser.core.remote.Answer;
import io.hawser.core.remote.ChecksumAlgorithm;
import io.hawser.core.remote.Question;
import io.hawser.core.remote.RemoteFile;
import io.hawser.core.testkit.RecordingCallLink;
import java.nio.ByteBuffer;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CallServerTest {
    private static final Topic TOPIC = new Topic("site-b");
    private static final RemoteFile FILE = new RemoteFile("f", RemoteFile.Kind.FILE, 4, 0, 0644, "v1");
    private static final Question READ = new Question.Read("f", "", 0, 4);

    private final BlockingQueue<Runnable> posted = new LinkedBlockingQueue<>();
    private final FragmentBufferPool memory = new FragmentBufferPool(4096, 2);
    private final Slow files = new Slow();
    private final CallServer server = new CallServer(files, memory, posted::add);
    private final RecordingCallLink link = new RecordingCallLink();

    /** Reads when it is let to; its checksums take as many slices as it is told. */
    private static final class Slow implements ServedFiles {
        final Semaphore reads = new Semaphore(0);
        final AtomicInteger stats = new AtomicInteger();
        final AtomicInteger checksums = new AtomicInteger();
        final AtomicBoolean closed = new AtomicBoolean();
        volatile boolean endless = true;

        private static void throwFor(String name) {
            if (name.equals("deep")) {
                throw new StackOverflowError("thrown by the test");
            }
        }

        @Override
        public Outcome<RemoteFile> stat(String name) {
            stats.incrementAndGet();
            throwFor(name);
            if (name.equals("on a disk that hangs")) {
                reads.acquireUninterruptibly();
            }
            return name.equals("f")
                    ? Outcome.of(FILE)
                    : Outcome.refused(ErrorCode.NOT_FOUND, "No such file or directory");
        }

        @Override
        public Outcome<String> list(String name, String after, ByteBuffer into) {
            throwFor(name);
            return Outcome.of("next");
        }

        @Override
        public Outcome<RemoteFile> read(Question.Read question, ByteBuffer into) {
            throwFor(question.name());
            reads.acquireUninterruptibly();
            into.put((byte) question.offset());
            return Outcome.of(FILE);
        }

        @Override
        public Outcome<SlicedChecksum> checksum(Question.Checksum question) {
            checksums.incrementAndGet();
            if (question.name().equals("on a disk that hangs")) {
                reads.acquireUninterruptibly();
            }
            return Outcome.of(new SlicedChecksum() {
                @Override
                public Outcome<String> nextSlice() {
                    throwFor(question.name());
                    return Outcome.of(endless && question.offset() == 0 ? "" : "abc");
                }

                @Override
                public void close() {
                    closed.set(true);
                }
            });
        }
    }

    @BeforeEach
    void connect() {
        server.onUp(link);
    }

    @AfterEach
    void stop() {
        files.endless = false;
        files.reads.release(1000);
        server.close();
    }

    private void runUntil(BooleanSupplier condition) throws InterruptedException {
        while (!condition.getAsBoolean()) {
            Runnable next = posted.poll(20, TimeUnit.MILLISECONDS);
            if (next != null) {
                next.run();
            }
        }
    }

    @Test
    void questionsAreAnsweredOrRefused() throws InterruptedException {
        server.onAsked(link, 1, TOPIC, new Question.Stat("f"));
        server.onAsked(link, 2, TOPIC, new Question.Stat("g"));
        server.onAsked(link, 3, TOPIC, new Question.ListPage("", ""));
        runUntil(() -> link.answered.size() == 2 && link.refused.size() == 1);

        assertThat(link.answered)
                .containsEntry(1L, new Answer.OfFile(FILE))
                .containsEntry(3L, new Answer.OfPage("next"));
        assertThat(link.refused.get(2L).code()).isEqualTo(ErrorCode.NOT_FOUND);
        assertThat(server.counts().answered()).isEqualTo(2);
        assertThat(server.counts().refusals()).isEqualTo(1);
    }

    @Test
    void looksThatNobodyWantsAnyMoreAreNotTakenWhenTheDiskAnswersAgain() throws InterruptedException {
        for (int i = 0; i < 100; i++) {
            server.onAsked(link, i, TOPIC, new Question.Stat("on a disk that hangs"));
        }
        for (int i = 0; i < 100; i++) {
            server.onCancelled(link, i);
        }
        files.reads.release(100);
        server.onAsked(link, 100, TOPIC, new Question.Stat("f"));
        runUntil(() -> link.answered.containsKey(100L));

        assertThat(files.stats.get()).as("the two that had been begun, at most").isLessThanOrEqualTo(3);
        assertThat(link.answered).hasSize(1);
    }

    @Test
    void aBlockThatIsLongerThanABufferIsRefusedAndNotCutShort() throws InterruptedException {
        server.onAsked(link, 1, TOPIC, new Question.Read("f", "", 0, 4097));
        runUntil(() -> !link.refused.isEmpty());

        assertThat(link.refused.get(1L).code()).isEqualTo(ErrorCode.TOO_LARGE);
        assertThat(memory.available()).isEqualTo(2);
    }

    @Test
    void readsWaitForMemoryAndStatsDoNot() throws InterruptedException {
        for (int i = 0; i < 5; i++) {
            server.onAsked(link, i, TOPIC, new Question.Read("f", "", i, 1));
        }
        files.reads.release(5);
        runUntil(() -> link.answered.size() == 2);
        server.onAsked(link, 9, TOPIC, new Question.Stat("f"));
        runUntil(() -> link.answered.containsKey(9L));
        assertThat(link.answered).hasSize(3);
        link.payloadsLeave();
        runUntil(() -> link.answered.size() == 5);
        link.payloadsLeave();
        runUntil(() -> link.answered.size() == 6);

        link.payloadsLeave();
        assertThat(memory.available()).isEqualTo(2);
    }

    @Test
    void whateverAQuestionThrowsIsAnsweredAndItsMemoryComesBack() throws InterruptedException {
        server.onAsked(link, 1, TOPIC, new Question.Stat("deep"));
        server.onAsked(link, 2, TOPIC, new Question.ListPage("deep", ""));
        server.onAsked(link, 3, TOPIC, new Question.Read("deep", "", 0, 4));
        server.onAsked(link, 4, TOPIC, new Question.Checksum("deep", ChecksumAlgorithm.MD5, 0, -1));
        runUntil(() -> link.refused.size() == 4);

        assertThat(link.refused.values()).extracting(Refusal::code).containsOnly(ErrorCode.STORAGE_FAILED);
        assertThat(files.closed).isTrue();
        assertThat(memory.available()).isEqualTo(2);
    }

    @Test
    void aLongChecksumHoldsBackNoOther() throws InterruptedException {
        for (int i = 0; i < 8; i++) {
            server.onAsked(link, i, TOPIC, new Question.Checksum("f", ChecksumAlgorithm.MD5, 0, -1));
        }
        server.onAsked(link, 9, TOPIC, new Question.Checksum("f", ChecksumAlgorithm.MD5, 1, -1));
        runUntil(() -> link.answered.containsKey(9L));

        assertThat(link.answered).containsOnlyKeys(9L);
    }

    @Test
    void aCancelledChecksumEnds() throws InterruptedException {
        server.onAsked(link, 1, TOPIC, new Question.Checksum("f", ChecksumAlgorithm.MD5, 0, -1));
        server.onCancelled(link, 1);
        runUntil(files.closed::get);

        assertThat(link.answered).isEmpty();
    }

    @Test
    void whatASessionAskedEndsWithItAndItsMemoryComesBack() throws InterruptedException {
        server.onAsked(link, 1, TOPIC, READ);
        server.onAsked(link, 2, TOPIC, READ);
        server.onAsked(link, 3, TOPIC, READ);
        server.onDown(link);
        files.reads.release(3);
        runUntil(() -> memory.available() == 2);

        assertThat(link.answered).isEmpty();
        assertThat(link.refused).isEmpty();
    }

    @Test
    void checksumsThatNobodyWantsAnyMoreAreNotBegun() throws InterruptedException {
        for (int i = 0; i < 100; i++) {
            server.onAsked(link, i, TOPIC, new Question.Checksum("on a disk that hangs", ChecksumAlgorithm.MD5, 1, -1));
        }
        for (int i = 0; i < 100; i++) {
            server.onCancelled(link, i);
        }
        files.reads.release(100);
        server.onAsked(link, 100, TOPIC, new Question.Checksum("f", ChecksumAlgorithm.MD5, 1, -1));
        runUntil(() -> link.answered.containsKey(100L));

        assertThat(files.checksums.get())
                .as("the two that had been begun, at most")
                .isLessThanOrEqualTo(3);
        assertThat(link.answered).hasSize(1);
    }
}
