package io.hawser.store.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class DescriptorWaitTest {
    private final IOException noneFree = new FileSystemException("/data/x", null, "Too many open files");

    @Test
    void openingIsTriedAgainUntilADescriptorIsFree() throws Exception {
        AtomicInteger tries = new AtomicInteger();

        String opened = new DescriptorWait(Duration.ofMinutes(1)).await(() -> {
            if (tries.incrementAndGet() < 3) {
                throw noneFree;
            }
            return "opened";
        });

        assertThat(opened).isEqualTo("opened");
        assertThat(tries).hasValue(3);
    }

    @Test
    void waitEndsAndOtherFailuresAreNotWaitedFor() {
        AtomicInteger tries = new AtomicInteger();
        DescriptorWait impatient = new DescriptorWait(Duration.ZERO);
        IOException other = new IOException("Input/output error");

        assertThatThrownBy(() -> impatient.await(() -> {
                    throw noneFree;
                }))
                .isSameAs(noneFree);
        assertThatThrownBy(() -> new DescriptorWait(Duration.ofMinutes(1)).await(() -> {
                    tries.incrementAndGet();
                    throw other;
                }))
                .isSameAs(other);
        assertThat(tries).hasValue(1);
    }

    @Test
    void lackOfDescriptorsIsNoFailureOfADisk() {
        StorageException failure = StorageExceptionMapper.of("open /data/x", noneFree);

        assertThat(failure).isInstanceOf(CannotOpenNowException.class);
        assertThat(failure.getMessage()).contains("open /data/x", "Too many open files");
        assertThat(StorageExceptionMapper.of("open /data/x", new IOException("Input/output error")))
                .isExactlyInstanceOf(StorageException.class);
    }
}
