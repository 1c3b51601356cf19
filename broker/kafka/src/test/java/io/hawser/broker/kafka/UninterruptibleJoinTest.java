package io.hawser.broker.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class UninterruptibleJoinTest {
    @Test
    void anInterruptDoesNotShortenTheWaitAndIsKept() throws InterruptedException {
        CountDownLatch interrupted = new CountDownLatch(1);
        Thread waiter = Thread.currentThread();
        Thread work = new Thread(() -> {
            waiter.interrupt();
            interrupted.countDown();
            while (waiter.isInterrupted()) { // until it has been swallowed by a join that goes on
                Thread.onSpinWait();
            }
        });
        work.start();
        while (interrupted.getCount() > 0) { // await would throw
            Thread.onSpinWait();
        }

        UninterruptibleJoin.await(work);

        assertThat(work.isAlive()).isFalse();
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void noThreadWaitsForItself() {
        UninterruptibleJoin.await(Thread.currentThread());

        assertThat(Thread.currentThread().isAlive()).isTrue();
    }
}
