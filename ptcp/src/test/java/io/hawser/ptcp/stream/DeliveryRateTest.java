package io.hawser.ptcp.stream;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DeliveryRateTest {
    private static final long MILLI = 1_000_000L;

    private final DeliveryRate rate = new DeliveryRate();
    private long now = -5_000 * MILLI;
    private long received;

    private void deliver(int bytes, long millis) {
        rate.onSent(received, now);
        now += millis * MILLI;
        received += bytes;
        rate.onReceived(received, false, now);
    }

    @Test
    void packetsAreShortUntilTheRateIsKnownAndOnSlowLinks() {
        assertThat(rate.packetBytes(1)).isEqualTo(DeliveryRate.LEAST_BYTES);
        for (int i = 0; i < 100; i++) {
            deliver(256 << 10, 200); // 1.3 MB/s
        }
        assertThat(rate.packetBytes(1)).isEqualTo(DeliveryRate.LEAST_BYTES);
    }

    @Test
    void packetsGrowFastWhereMuchArrivesAndAreSharedAmongTheStreams() {
        for (int i = 0; i < 5; i++) {
            deliver(4 << 20, 4); // 1 GB/s
        }
        assertThat(rate.packetBytes(1)).isGreaterThan(10 << 20);
        assertThat(rate.packetBytes(4)).isBetween(2 << 20, 10 << 20);
    }

    @Test
    void oneBurstDoesNotDeceive() {
        for (int i = 0; i < 10; i++) {
            deliver(256 << 10, 20); // 13 MB/s
        }
        deliver(8 << 20, 2); // what an earlier packet had held back
        assertThat(rate.packetBytes(1)).isLessThan(2 << 20);
        for (int i = 0; i < 20; i++) {
            deliver(256 << 10, 20);
        }
        assertThat(rate.packetBytes(1)).isBetween(200 << 10, 320 << 10);
    }

    @Test
    void pauseOfTheWriterDoesNotCount() {
        for (int i = 0; i < 5; i++) {
            deliver(4 << 20, 4);
        }
        rate.onReceived(received, true, now);
        now += 60_000 * MILLI;
        int before = rate.packetBytes(1);
        deliver(4 << 20, 4);
        assertThat(rate.packetBytes(1)).isGreaterThanOrEqualTo(before / 2);
    }
}
