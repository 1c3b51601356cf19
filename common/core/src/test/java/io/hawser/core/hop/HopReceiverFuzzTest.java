package io.hawser.core.hop;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.integrity.Crc32c;
import io.hawser.core.model.Commit;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferDigest;
import io.hawser.core.model.TransferId;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import io.hawser.core.wire.WireLimits;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A sender that says well-formed messages in an order of its own, and packets that do not fit together: the receiver never throws,
 * never holds memory beyond its session, and acks nothing that the store has not made durable.
 */
class HopReceiverFuzzTest {
    private static final int FRAGMENT = 64;
    private static final NodeId PUBLISHER = new NodeId(1, 1);
    private static final int STEP_BYTES = 8;

    private final List<Arriving> arriving = new ArrayList<>();
    private FakeReceiverStore store;
    private FakeLink link;
    private FragmentBufferPool pool;
    private HopReceiver receiver;

    /** A packet whose bytes are on their way. */
    private record Arriving(PacketHeader header, FragmentBuffer buffer) {}

    /** Each eight bytes are a step: what, transfer, and up to six numbers. */
    @FuzzTest(maxDuration = "2m")
    void steps(byte[] data) {
        arriving.clear();
        store = new FakeReceiverStore();
        link = new FakeLink();
        pool = new FragmentBufferPool(4096, 3);
        receiver = new HopReceiver(
                store,
                pool,
                link,
                key -> key.publisher().equals(PUBLISHER),
                4 * FRAGMENT,
                new ReceiveMeter(),
                SenderAllowance.UNLIMITED);
        ByteBuffer in = ByteBuffer.wrap(data);
        while (in.remaining() >= STEP_BYTES) {
            byte[] step = new byte[STEP_BYTES];
            in.get(step);
            step(step);
            check();
        }
        receiver.linkDown();
        arriving.forEach(packet -> packet.buffer.release());
        store.run();
        assertThat(pool.available()).isEqualTo(pool.capacity());
    }

    private void step(byte[] step) {
        TransferKey key = new TransferKey(
                step[1] == 9 ? new NodeId(2, 2) : PUBLISHER, new TransferId(0, Math.floorMod(step[1], 3)));
        switch (Math.floorMod(step[0], 9)) {
            case 0 -> receiver.on(new HopMessage.Open(manifest(key, step[2]), step[3] != 0));
            case 1 -> receiver.on(new HopMessage.CommitTransfer(key, commit(step[2] & 0xFF)));
            case 2 -> receiver.on(new HopMessage.Cancel(key, "x"));
            case 3 -> begins(header(key, step));
            case 4 -> ends(step[1]);
            case 5 -> lost(step[1]);
            case 6 -> small(key, step);
            case 7 -> store.run();
            default -> receiver.dropPartialFragment();
        }
    }

    private static Manifest manifest(TransferKey key, int size) {
        return new Manifest(
                key, 1, new Topic("t"), TransferKind.FILE, "a", List.of("a"), Math.max(-1, size), FRAGMENT, Map.of());
    }

    private static Commit commit(long size) {
        return new Commit(size, Manifest.fragmentCount(size, FRAGMENT), new TransferDigest(FRAGMENT, new byte[32]));
    }

    private static PacketHeader header(TransferKey key, byte[] step) {
        int fragmentLength = 1 + (step[3] & 0x3F);
        int offset = Math.floorMod(step[4], fragmentLength);
        int length = 1 + Math.floorMod(step[5], fragmentLength - offset);
        long index = step[2] == Byte.MIN_VALUE ? WireLimits.MAX_INDEX : step[2] & 0x7F;
        int crc = step[6] == 0 ? 0 : Crc32c.of(ByteBuffer.allocate(length));
        return new PacketHeader(key, index, offset, length, fragmentLength, crc, new byte[32], step[7] != 0);
    }

    private void begins(PacketHeader header) {
        if (receiver.place(header) instanceof PacketPlacement.InBuffer into) {
            assertThat(into.offset()).isEqualTo(header.offset());
            into.buffer().payload(into.offset(), header.length()).put(new byte[header.length()]);
            arriving.add(new Arriving(header, into.buffer()));
        }
    }

    private void ends(int which) {
        if (!arriving.isEmpty()) {
            Arriving packet = arriving.remove(Math.floorMod(which, arriving.size()));
            receiver.received(packet.header, packet.buffer);
            packet.buffer.release();
        }
    }

    private void lost(int which) {
        if (!arriving.isEmpty()) {
            Arriving packet = arriving.remove(Math.floorMod(which, arriving.size()));
            receiver.lost(packet.header, packet.buffer);
            packet.buffer.release();
        }
    }

    private void small(TransferKey key, byte[] step) {
        FragmentBuffer buffer = pool.tryAcquire();
        if (buffer == null) {
            return;
        }
        int length = Math.floorMod(step[2], FRAGMENT + 1);
        buffer.payload(0, length).put(new byte[length]);
        int crc = step[6] == 0 ? 1 : Crc32c.of(ByteBuffer.allocate(length));
        receiver.received(
                List.of(new SmallItem(manifest(key, length), commit(length), crc, new byte[32], step[3] != 0)), buffer);
        buffer.release();
    }

    private void check() {
        for (HopMessage message : link.take()) {
            if (message instanceof HopMessage.Ack ack) {
                assertThat(ack.ranges().isEmpty()).isFalse();
                ack.ranges().runs().forEach(run -> assertThat(store.fragments).containsKey(run.start()));
            }
        }
    }
}
