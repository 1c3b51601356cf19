package io.hawser.agenta.download;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.agenta.download.DownloadWindow.Range;
import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The window's order, its bound, and what is put back; answers come when the test says so. */
class DownloadWindowTest {
    private static final int BLOCK = 100;

    private final EmbeddedChannel loop = new EmbeddedChannel();
    private final FragmentBufferPool pool = new FragmentBufferPool(BLOCK, 64);
    private final ReadBudget budget = new ReadBudget(8, 4, loop.eventLoop());

    /** A file whose answers wait. */
    private final class Source implements VersionedSource {
        private final long size;
        private final TreeMap<Long, Runnable> waiting = new TreeMap<>();
        private final List<Long> asked = new ArrayList<>();
        private final TreeMap<Long, Outcome.Callback<FileChunk>> callbacks = new TreeMap<>();

        private final ReadBudget of;

        private Source(long size) {
            this(size, budget);
        }

        private Source(long size, ReadBudget of) {
            this.size = size;
            this.of = of;
        }

        @Override
        public long sizeBytes() {
            return size;
        }

        @Override
        public String version() {
            return "1";
        }

        @Override
        public int blockSizeBytes() {
            return BLOCK;
        }

        @Override
        public ReadBudget budget() {
            return of;
        }

        @Override
        public Runnable ask(long offset, int length, Outcome.Callback<FileChunk> done) {
            asked.add(offset);
            callbacks.put(offset, done);
            waiting.put(offset, () -> {
                FragmentBuffer buffer = Objects.requireNonNull(pool.tryAcquire());
                done.accept(Outcome.of(FileChunk.of(offset, length, buffer, 0)));
            });
            return () -> waiting.remove(offset);
        }

        private void answer(long offset) {
            Objects.requireNonNull(waiting.remove(offset)).run();
        }

        private void answerAll() {
            while (!waiting.isEmpty()) {
                answer(waiting.firstKey());
            }
        }
    }

    private static final class Sink implements DownloadWindow.Sink {
        private final List<FileChunk> blocks = new ArrayList<>();
        private final List<Long> offsets = new ArrayList<>();
        private boolean complete;
        private Refusal failure = new Refusal(ErrorCode.STOPPING, "none");
        private Runnable stalled = () -> {};

        @Override
        public void block(FileChunk block) {
            blocks.add(block);
            offsets.add(block.offset());
        }

        @Override
        public void complete() {
            complete = true;
        }

        @Override
        public void failed(Refusal why) {
            failure = why;
        }

        @Override
        public void giveBackIfStalled() {
            stalled.run();
        }
    }

    private final Sink sink = new Sink();

    private DownloadWindow window(Source source, boolean inOrder, long from, long to) {
        return new DownloadWindow(source, List.of(new Range(from, to)), inOrder, sink);
    }

    @Test
    void blocksAreHandedOnInOrderHoweverTheyCome() {
        Source source = new Source(350);
        DownloadWindow window = window(source, true, 0, 350);
        for (int i = 0; i < 5; i++) {
            window.want();
        }

        source.answer(300);
        source.answer(100);
        assertThat(sink.offsets).isEmpty();
        source.answer(0);
        assertThat(sink.offsets).containsExactly(0L, 100L);
        source.answer(200);

        assertThat(sink.offsets).containsExactly(0L, 100L, 200L, 300L);
        assertThat(sink.blocks.get(3).length()).isEqualTo(50);
        assertThat(sink.complete).isTrue();
    }

    @Test
    void blocksAreHandedOnAsTheyComeWhereTheOrderDoesNotMatter() {
        Source source = new Source(300);
        DownloadWindow window = window(source, false, 0, 300);
        window.want();
        window.want();

        source.answer(200);
        source.answer(0);

        assertThat(sink.offsets).containsExactly(200L, 0L);
        assertThat(sink.complete).isFalse();
    }

    @Test
    void noMoreIsAskedForThanTheWindowAndNoMoreIsHandedOnThanIsWanted() {
        Source source = new Source(1000);
        DownloadWindow window = window(source, true, 0, 1000);
        window.want();

        source.answerAll();

        assertThat(source.asked).containsExactly(0L, 100L, 200L, 300L);
        assertThat(sink.offsets).containsExactly(0L);
        sink.blocks.get(0).release();
        assertThat(source.asked).containsExactly(0L, 100L, 200L, 300L, 400L);
    }

    @Test
    void aRangeBeginsAndEndsWhereItSaysAndPiecesEndAtBlocks() {
        Source source = new Source(1000);
        DownloadWindow window = window(source, true, 150, 320);
        for (int i = 0; i < 4; i++) {
            window.want();
        }

        source.answerAll();

        assertThat(sink.blocks).extracting(FileChunk::offset).containsExactly(150L, 200L, 300L);
        assertThat(sink.blocks).extracting(FileChunk::length).containsExactly(50, 100, 20);
        assertThat(sink.complete).isTrue();
    }

    @Test
    void anEmptyRangeIsCompleteAtOnce() {
        window(new Source(0), true, 0, 0).want();

        assertThat(sink.complete).isTrue();
    }

    @Test
    void whatIsPutBackIsAskedForAgainInItsPlace() {
        Source source = new Source(300);
        DownloadWindow window = window(source, true, 0, 300);
        window.want();
        source.answerAll();

        window.pause();
        window.putBack(sink.blocks.get(0), 30);
        assertThat(budget.taken()).isZero();
        assertThat(pool.available()).isEqualTo(64);
        sink.offsets.clear();
        for (int i = 0; i < 4; i++) {
            window.want();
        }
        source.answerAll();

        assertThat(sink.offsets).containsExactly(30L, 100L, 200L);
        assertThat(sink.complete).isTrue();
    }

    @Test
    void aRefusalEndsItAndGivesEverythingBack() {
        Source source = new Source(400);
        DownloadWindow window = window(source, true, 0, 400);
        window.want();
        source.answer(100);

        Objects.requireNonNull(source.callbacks.get(200L)).accept(Outcome.refused(ErrorCode.SOURCE_CHANGED, "changed"));

        assertThat(sink.failure.code()).isEqualTo(ErrorCode.SOURCE_CHANGED);
        assertThat(source.waiting.keySet()).containsExactly(200L); // answered above, the others were taken back
        assertThat(budget.taken()).isZero();
        assertThat(pool.available()).isEqualTo(64);
    }

    @Test
    void afterCancelNothingIsHeld() {
        Source source = new Source(400);
        DownloadWindow window = window(source, true, 0, 400);
        window.want();
        source.answer(100);

        window.cancel();

        assertThat(source.waiting).isEmpty();
        assertThat(budget.taken()).isZero();
        assertThat(pool.available()).isEqualTo(64);
    }

    @Test
    void aClientThatReadsNothingHasToGiveBackItsBlocks() {
        List<DownloadWindow> stalled = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            Sink idle = new Sink();
            Source source = new Source(1000);
            DownloadWindow window = new DownloadWindow(source, List.of(new Range(0, 1000)), true, idle);
            idle.stalled = window::pause;
            window.start();
            source.answerAll();
            stalled.add(window);
        }
        assertThat(budget.taken()).isEqualTo(8);
        Source source = new Source(100);
        DownloadWindow window = window(source, true, 0, 100);
        window.want();
        assertThat(source.asked).isEmpty();

        loop.advanceTimeBy(300, TimeUnit.MILLISECONDS);
        loop.runScheduledPendingTasks();
        source.answerAll();

        assertThat(sink.offsets).containsExactly(0L);
        stalled.forEach(DownloadWindow::cancel);
    }

    @Test
    void oneThatGetsNoAnswersLeavesTheOthersTheirShare() {
        ReadBudget all = new ReadBudget(8, 8, loop.eventLoop());
        Source away = new Source(1000, all);
        DownloadWindow first = window(away, true, 0, 1000);
        first.want();
        assertThat(away.asked).hasSize(8);
        away.answer(700);
        Source there = new Source(1000, all);
        DownloadWindow second = new DownloadWindow(there, List.of(new Range(0, 1000)), true, new Sink());
        second.want();
        assertThat(there.asked).isEmpty();

        for (int i = 0; i < 5; i++) {
            loop.advanceTimeBy(300, TimeUnit.MILLISECONDS);
            loop.runScheduledPendingTasks();
        }
        assertThat(there.asked).containsExactly(0L, 100L, 200L, 300L);
        assertThat(away.waiting.keySet()).containsExactly(0L, 100L, 200L);

        second.cancel();
        away.answerAll();
        sink.blocks.get(0).release();
        assertThat(away.waiting.keySet()).containsExactly(300L, 400L, 500L, 600L, 800L);
        first.cancel();
        assertThat(all.taken()).isZero();
    }

    @Test
    void oneThatGetsAnswersKeepsItsQuestionsWhileOthersWait() {
        ReadBudget all = new ReadBudget(8, 8, loop.eventLoop());
        Source slow = new Source(1000, all);
        DownloadWindow first = window(slow, true, 0, 1000);
        first.want();
        Source there = new Source(1000, all);
        DownloadWindow second = new DownloadWindow(there, List.of(new Range(0, 1000)), true, new Sink());
        second.want();

        for (int i = 0; i < 4; i++) {
            loop.advanceTimeBy(600, TimeUnit.MILLISECONDS);
            loop.runScheduledPendingTasks();
            slow.answer(100L * i);
            sink.blocks.get(i).release();
            first.want();
        }

        assertThat(slow.waiting.keySet()).containsExactly(400L, 500L, 600L, 700L);
        assertThat(there.asked).containsExactly(0L, 100L, 200L, 300L);
        second.cancel();
        first.cancel();
    }
}
