package io.hawser.core.hop;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.TransferId;
import io.hawser.core.model.TransferKey;
import io.hawser.core.testkit.SampleTransfer;
import io.hawser.core.wire.WireLimits;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * A receiver that answers what nobody asked: acks of what was not sent, requests for fragments that are not there, credit that is
 * absurd. The sender never throws, sends no more at once than it has memory for, and gives everything back.
 */
class HopSenderFuzzTest {
    private static final int FRAGMENT = 64;
    private static final int TRANSFERS = 3;
    private static final NodeId PUBLISHER = new NodeId(1, 1);
    private static final int STEP_BYTES = 4;

    private final SampleTransfer[] samples = new SampleTransfer[TRANSFERS];
    private FakeSenderStore store;
    private FakeLink link;
    private HopSender sender;
    private long nowNanos;

    /** Each four bytes are a step: what, transfer, two numbers. */
    @FuzzTest(maxDuration = "2m")
    void steps(byte[] data) {
        store = new FakeSenderStore();
        sender = new HopSender(new HopSenderLimits(8, 16, 16, 100, 256, 16, 4 * FRAGMENT), store);
        for (int i = 0; i < TRANSFERS; i++) {
            samples[i] = SampleTransfer.file(PUBLISHER, i + 1, "t", "f" + i, i * (2 * FRAGMENT + 7), FRAGMENT, i);
            store.known.put(samples[i].key(), samples[i]);
        }
        link = new FakeLink();
        sender.linkUp(link);
        ByteBuffer in = ByteBuffer.wrap(data);
        while (in.remaining() >= STEP_BYTES) {
            step(in.get(), in.get(), in.get(), in.get());
        }
        sender.linkDown();
        store.run();
        assertThat(sender.inFlightBytes()).isZero();
        assertThat(store.pool.available()).isEqualTo(store.pool.capacity());
    }

    private void step(int what, int transfer, int first, int second) {
        SampleTransfer sample = samples[Math.floorMod(transfer, TRANSFERS)];
        TransferKey key = transfer == Byte.MAX_VALUE ? new TransferKey(PUBLISHER, new TransferId(9, 9)) : sample.key();
        switch (Math.floorMod(what, 14)) {
            case 0 -> sender.offer(sample.manifest(), sample.manifest().number(), first >= 0);
            case 1 ->
                sender.commit(sample.key(), sample.commit(), sample.manifest().number(), null);
            case 2 -> send(first);
            case 3 -> sender.on(new HopMessage.Resume(key, ranges(first, second)));
            case 4 -> sender.on(new HopMessage.Ack(key, ranges(first, second)));
            case 5 -> sender.on(new HopMessage.Nack(key, number(first)));
            case 6 -> sender.on(new HopMessage.Committed(key, List.of("s")));
            case 7 ->
                sender.on(new HopMessage.ReceiptNotice(
                        new Receipt(key, "s", first < 0 ? ReceiptStatus.LANDED : ReceiptStatus.DELIVERED, "", 1)));
            case 8 -> sender.on(new HopMessage.Cancelled(key));
            case 9 ->
                sender.on(new HopMessage.Refuse(key, new Refusal(ErrorCode.of(1 + Math.floorMod(first, 17)), "x")));
            case 10 -> sender.on(new HopMessage.Credit(second == 0 ? Long.MIN_VALUE : number(first)));
            case 11 -> {
                sender.streamLost(Math.floorMod(first, 2));
                hear(second);
            }
            case 12 -> {
                while (!store.receiptsToKeep.isEmpty()) {
                    store.receiptsToKeep.removeFirst().run();
                }
            }
            default -> {
                hear(second);
                nowNanos += Math.abs(first) * 10_000_000L;
                sender.tick(nowNanos);
            }
        }
    }

    private void hear(int value) {
        if (value >= 0) {
            link.hear();
        }
    }

    private static long number(int value) {
        return value == Byte.MIN_VALUE ? Long.MAX_VALUE : value == Byte.MAX_VALUE ? WireLimits.MAX_INDEX : value;
    }

    private static FragmentRanges ranges(int first, int second) {
        FragmentRanges ranges = new FragmentRanges();
        long start = Math.max(0, number(first));
        ranges.add(start, Math.max(start, number(second)));
        ranges.add(2, 3);
        return ranges;
    }

    private void send(int stream) {
        store.run();
        OutboundPacket packet = sender.next(Math.floorMod(stream, 2));
        if (packet != null) {
            packet.payload().release();
        }
        store.run();
    }
}
