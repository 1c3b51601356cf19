package io.hawser.store.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.store.testkit.FaultyStorage;
import io.hawser.store.testkit.FaultyStorage.Fault;
import java.nio.file.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A line that could not be added is no damage. */
class LineFileTest {
    private static final Path PATH = Path.of("/data/nodes");

    /** The first call is the write, the second one the force. */
    @ParameterizedTest
    @CsvSource({"1, SHORT", "1, EIO", "1, ENOSPC", "2, EIO"})
    void aLineAfterAFailedOneIsWhole(int call, Fault fault) throws Exception {
        FaultyStorage storage = new FaultyStorage();
        storage.createDirectories(PATH.getParent());
        LineFile file = new LineFile(storage, PATH);
        file.append("first");
        for (int i = 0; i < 2; i++) { // in the second round a leftover may have to be cut off
            storage.heal();
            storage.failCall(i == 0 ? call : call + 1, fault, false);
            assertThatThrownBy(() -> file.append("a line that is longer than the others"))
                    .isInstanceOf(StorageException.class);
        }
        storage.heal();

        file.append("second");
        file.append("third");

        assertThat(new LineFile(storage, PATH).read()).containsExactly("first", "second", "third");
    }

    /** The third changing call forces the directory. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void nameOfAFileWhoseFirstLineFailedIsForcedWithTheNextOne(int call) throws Exception {
        FaultyStorage storage = new FaultyStorage();
        storage.createDirectories(PATH.getParent());
        storage.forceDirectory(PATH.getParent().getParent());
        LineFile file = new LineFile(storage, PATH);
        storage.failCall(call, Fault.EIO, false);
        assertThatThrownBy(() -> file.append("first")).isInstanceOf(StorageException.class);
        storage.heal();

        file.append("second");
        storage.powerCut(1);

        assertThat(new LineFile(storage, PATH).read()).endsWith("second");
    }
}
