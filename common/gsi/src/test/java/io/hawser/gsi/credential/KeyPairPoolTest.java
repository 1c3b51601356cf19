package io.hawser.gsi.credential;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.ptcp.testkit.TestTimes;
import java.security.KeyPair;
import java.security.interfaces.RSAPublicKey;
import java.time.Duration;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class KeyPairPoolTest {
    private static final Duration AT_ONCE = Duration.ZERO;

    @Test
    void whoAsksDoesNotWaitForAPairToBeMadeAndNobodyGetsAnothersPair() throws Exception {
        CountDownLatch mayMakeMore = new CountDownLatch(1);
        AtomicInteger made = new AtomicInteger();
        KeySupply slow = () -> {
            if (made.getAndIncrement() >= 3) {
                awaitQuietly(mayMakeMore);
            }
            return new KeyPair(null, null);
        };
        try (KeyPairPool keys = new KeyPairPool(slow, 3, AT_ONCE)) {
            Awaitility.await().until(() -> keys.readyNow() == 3);
            Set<KeyPair> given = Collections.newSetFromMap(new IdentityHashMap<>());
            for (int i = 0; i < 3; i++) {
                given.add(keys.next()); // while the fourth is stuck in its making
            }
            assertThat(given).hasSize(3);
            CompletableFuture<KeyPair> own = CompletableFuture.supplyAsync(keys::next);
            assertThat(own).as("there is none left: it is made for who asks").isNotDone();
            mayMakeMore.countDown();
            assertThat(given.add(own.get(TestTimes.SECONDS, TimeUnit.SECONDS))).isTrue();
            Awaitility.await().until(() -> keys.readyNow() == 3);
        }
    }

    @Test
    void noMoreAreMadeThanAreKept() throws Exception {
        AtomicInteger made = new AtomicInteger();
        try (KeyPairPool keys = new KeyPairPool(
                () -> {
                    made.incrementAndGet();
                    return new KeyPair(null, null);
                },
                2,
                AT_ONCE)) {
            Awaitility.await().until(() -> keys.readyNow() == 2);
            for (int i = 0; i < 10; i++) {
                KeyPair unused = keys.next();
                Awaitility.await().until(() -> keys.readyNow() == 2);
            }
            assertThat(made).hasValue(12);
        }
    }

    @Test
    void whatIsGivenAreKeysThatGridProgramsTake() {
        try (KeyPairPool keys = new KeyPairPool(KeySupply.fresh(), 1, Duration.ofHours(1))) {
            assertThat(((RSAPublicKey) keys.next().getPublic()).getModulus().bitLength())
                    .isEqualTo(2048);
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            assertThat(latch.await(TestTimes.SECONDS, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
