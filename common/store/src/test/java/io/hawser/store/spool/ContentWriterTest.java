package io.hawser.store.spool;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.model.NodeId;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.core.testkit.SampleTransfer;
import io.hawser.store.content.FragmentFile;
import io.hawser.store.content.FragmentFiles;
import io.hawser.store.runtime.DiskExecutor.Lane;
import io.hawser.store.runtime.LoopMailbox;
import io.hawser.store.storage.OpenMode;
import io.hawser.store.storage.StorageException;
import io.hawser.store.testkit.FaultyStorage;
import io.hawser.store.testkit.FaultyStorage.Fault;
import io.hawser.store.testkit.SteppedDisk;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Groups of fragments, on a disk that works when the test says so. */
class ContentWriterTest {
    private final FaultyStorage storage = new FaultyStorage();
    private final SteppedDisk disk = new SteppedDisk();
    private final List<StorageException> broken = new ArrayList<>();
    private final List<FragmentWriteTask> answered = new ArrayList<>();
    private final FragmentFiles files = SpoolParts.contentFiles(storage, Path.of("/spool"), (key, cause) -> {});
    private final FragmentBufferPool pool = new FragmentBufferPool(4096, 64);
    private Executor loop = Runnable::run;
    private final ContentWriter writer = new ContentWriter(
            files,
            Runnable::run,
            disk.serial(Lane.CONTENT, "writes")::execute,
            new LoopMailbox(task -> loop.execute(task)),
            broken::add);

    @BeforeEach
    void directory() throws StorageException {
        storage.createDirectories(Path.of("/spool/data"));
    }

    private FragmentFile content(long number) {
        return files.file(
                SampleTransfer.file(new NodeId(1, 2), number, "t", "a", 0, 4096, number)
                        .manifest(),
                OpenMode.CREATE);
    }

    private void write(FragmentFile content, long index) {
        FragmentBuffer buffer = Objects.requireNonNull(pool.tryAcquire());
        writer.write(new FragmentWriteTask(content, index, buffer, 100, 0, answered::add));
    }

    @Test
    void aGroupForcesEachFileOnceAndWhatIsLeftIsTheNextGroup() {
        FragmentFile one = content(1);
        FragmentFile two = content(2);
        for (int i = 0; i < 40; i++) {
            write(i % 2 == 0 ? one : two, i);
        }
        writer.close(one);
        long before = storage.calls();

        assertThat(disk.runOne()).isTrue();
        assertThat(answered).hasSize(32);
        // 4 new files, bytes and slots of 32, 2 forces each, one of the directory
        assertThat(storage.calls() - before).isEqualTo(4 + 2 * 32 + 2 * 2 + 1);
        assertThat(disk.runOne()).isTrue();
        assertThat(disk.hasTask()).isFalse();
        assertThat(answered).hasSize(40).allMatch(task -> task.result == FragmentWriteTask.Result.DURABLE);
        write(two, 40);
        assertThat(disk.runOne()).isTrue();
        assertThat(answered).hasSize(41);
    }

    @Test
    @Invariant(InvariantName.FAIL_STOP)
    void aFailedForceEndsItsTransferAndNoOther() {
        FragmentFile one = content(1);
        write(one, 0);
        write(content(2), 0);
        storage.failCall(7, Fault.EIO, false); // 4 files, 2 writes, the force of the first

        disk.close();

        assertThat(answered.get(0).failure).isNotNull().isSameAs(one.failure());
        assertThat(answered.get(1).result).isEqualTo(FragmentWriteTask.Result.DURABLE);
        long calls = storage.calls();
        write(one, 1);
        disk.close();
        assertThat(answered.get(2).failure).isSameAs(one.failure());
        assertThat(storage.calls()).isEqualTo(calls);
        assertThat(broken).isEmpty();
    }

    @Test
    void anErrorOfTheWriterIsToldAndNothingFollows() {
        loop = task -> {
            throw new IllegalStateException("unforeseen");
        };
        write(content(1), 0);
        disk.close();
        write(content(2), 0);

        assertThat(disk.hasTask()).isFalse();
        assertThat(broken).singleElement().satisfies(cause -> assertThat(cause).hasMessageContaining("unforeseen"));
    }
}
