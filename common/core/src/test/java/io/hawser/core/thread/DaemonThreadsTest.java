package io.hawser.core.thread;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.ThreadFactory;
import org.junit.jupiter.api.Test;

class DaemonThreadsTest {
    @Test
    void aNamedFactoryGivesEachThreadItsName() {
        ThreadFactory factory = DaemonThreads.named("timer");
        assertThat(factory.newThread(() -> {}).getName()).isEqualTo("timer");
        assertThat(factory.newThread(() -> {}).isDaemon()).isTrue();
    }

    @Test
    void aNumberedFactoryCountsItsThreadsFromOne() {
        ThreadFactory factory = DaemonThreads.numbered("disk-");
        assertThat(factory.newThread(() -> {}).getName()).isEqualTo("disk-1");
        assertThat(factory.newThread(() -> {}).getName()).isEqualTo("disk-2");
        assertThat(factory.newThread(() -> {}).isDaemon()).isTrue();
    }
}
