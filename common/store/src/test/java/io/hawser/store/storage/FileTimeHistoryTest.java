package io.hawser.store.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class FileTimeHistoryTest {
    private final FileTimeHistory changes = new FileTimeHistory();

    private static FileFacts file(long sizeBytes, long modifiedNanos, String key) {
        return new FileFacts(sizeBytes, modifiedNanos, key, FileFacts.Kind.FILE);
    }

    private void changed(FileFacts before, FileFacts after) throws StorageException {
        changes.change(before, () -> after);
    }

    private boolean same(FileFacts old, FileFacts now) {
        return changes.sameContent(old.fingerprint(), now.fingerprint());
    }

    @Test
    void contentIsTheSameAfterAnyNumberOfChangesButNotBefore() throws Exception {
        FileFacts first = file(5, 1, "k");
        FileFacts second = file(5, 2, "k");
        FileFacts third = file(5, 3, "k");
        changed(first, second);
        changed(second, third);

        assertThat(same(first, first)).isTrue();
        assertThat(same(first, third)).isTrue();
        assertThat(same(third, first)).isFalse();
        assertThat(same(first, file(5, 4, "k"))).isFalse();
    }

    @Test
    void timeThatIsSetBackIsNoEndlessWay() throws Exception {
        FileFacts first = file(5, 1, "k");
        FileFacts second = file(5, 2, "k");
        changed(first, second);
        changed(second, first);

        assertThat(same(first, second)).isTrue();
        assertThat(same(second, first)).isTrue();
        assertThat(same(first, file(5, 9, "k"))).isFalse();
    }

    @Test
    void whatChangedMeanwhileIsNotTheSame() throws Exception {
        FileFacts first = file(5, 1, "k");
        for (FileFacts other : new FileFacts[] {file(6, 2, "k"), file(5, 2, "other")}) {
            changed(first, other);
            assertThat(same(first, other)).isFalse();
        }
    }

    /** The time is set, and nobody knows yet that it was done here. */
    @Test
    void whoComparesInTheMidstOfAChangeWaitsForItsEnd() throws Exception {
        FileFacts first = file(5, 1, "k");
        FileFacts second = file(5, 2, "k");
        AtomicBoolean found = new AtomicBoolean();
        Thread reader = new Thread(() -> found.set(same(first, second)));

        changes.change(first, () -> {
            reader.start();
            await().until(() -> reader.getState() == Thread.State.BLOCKED || !reader.isAlive());
            return second;
        });

        reader.join();
        assertThat(found).isTrue();
    }

    @Test
    void oldestAreForgotten() throws Exception {
        for (int i = 0; i < 5000; i++) {
            changed(file(i, 1, "k"), file(i, 2, "k"));
        }
        assertThat(same(file(0, 1, "k"), file(0, 2, "k"))).isFalse();
        assertThat(same(file(4999, 1, "k"), file(4999, 2, "k"))).isTrue();
    }
}
