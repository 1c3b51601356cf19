package io.hawser.common.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class ThreadEndTest {
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

        ThreadEnd.await(work);

        assertThat(work.isAlive()).isFalse();
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void noThreadWaitsForItself() {
        ThreadEnd.await(Thread.currentThread());

        assertThat(Thread.currentThread().isAlive()).isTrue();
    }
}
