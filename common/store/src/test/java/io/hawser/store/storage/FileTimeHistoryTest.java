package io.hawser.store.storage;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FileTimeHistoryTest {
    private final FileTimeHistory changes = new FileTimeHistory();

    private static FileFacts file(long sizeBytes, long modifiedNanos, String key) {
        return new FileFacts(sizeBytes, modifiedNanos, key, FileFacts.Kind.FILE);
    }

    private boolean same(FileFacts old, FileFacts now) {
        return changes.sameContent(old.fingerprint(), now.fingerprint());
    }

    @Test
    void contentIsTheSameAfterAnyNumberOfChangesButNotBefore() {
        FileFacts first = file(5, 1, "k");
        FileFacts second = file(5, 2, "k");
        FileFacts third = file(5, 3, "k");
        changes.changed(first, second);
        changes.changed(second, third);

        assertThat(same(first, first)).isTrue();
        assertThat(same(first, third)).isTrue();
        assertThat(same(third, first)).isFalse();
        assertThat(same(first, file(5, 4, "k"))).isFalse();
    }

    @Test
    void timeThatIsSetBackIsNoEndlessWay() {
        FileFacts first = file(5, 1, "k");
        FileFacts second = file(5, 2, "k");
        changes.changed(first, second);
        changes.changed(second, first);

        assertThat(same(first, second)).isTrue();
        assertThat(same(second, first)).isTrue();
        assertThat(same(first, file(5, 9, "k"))).isFalse();
    }

    @Test
    void whatChangedMeanwhileIsNotTheSame() {
        FileFacts first = file(5, 1, "k");
        for (FileFacts other : new FileFacts[] {file(6, 2, "k"), file(5, 2, "other")}) {
            changes.changed(first, other);
            assertThat(same(first, other)).isFalse();
        }
    }

    @Test
    void oldestAreForgotten() {
        for (int i = 0; i < 5000; i++) {
            changes.changed(file(i, 1, "k"), file(i, 2, "k"));
        }
        assertThat(same(file(0, 1, "k"), file(0, 2, "k"))).isFalse();
        assertThat(same(file(4999, 1, "k"), file(4999, 2, "k"))).isTrue();
    }
}
