package io.hawser.agenta.sftp.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.agenta.testkit.RandomBytes;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PacketFramerTest {
    private final PacketFramer framer = new PacketFramer();
    private final List<byte[]> packets = new ArrayList<>();

    private static byte[] framed(byte[]... bodies) {
        ByteBuffer all = ByteBuffer.allocate(1000);
        for (byte[] body : bodies) {
            all.putInt(body.length).put(body);
        }
        byte[] bytes = new byte[all.position()];
        all.flip().get(bytes);
        return bytes;
    }

    @Test
    void packetsAreTheSameWhereverTheirBytesAreCut() throws Exception {
        byte[] first = RandomBytes.of(1);
        byte[] second = RandomBytes.of(300);
        byte[] bytes = framed(first, second);
        for (int cut = 0; cut <= bytes.length; cut++) {
            packets.clear();
            framer.add(bytes, 0, cut, packets);
            framer.add(bytes, cut, bytes.length - cut, packets);

            assertThat(packets).containsExactly(first, second);
        }
    }

    @Test
    void lengthsThatNoPacketHasAreRefused() {
        for (int length : new int[] {0, -1, Integer.MIN_VALUE, PacketFramer.MAX_PACKET_BYTES + 1}) {
            byte[] bytes = ByteBuffer.allocate(4).putInt(length).array();

            assertThatThrownBy(() -> new PacketFramer().add(bytes, 0, 4, packets))
                    .isInstanceOf(BadPacketException.class);
        }
        assertThat(packets).isEmpty();
    }

    @Test
    void stringsThatReachBeyondTheirPacketAreRefused() {
        byte[] packet = ByteBuffer.allocate(8).putInt(5).putInt(0).array();

        assertThatThrownBy(() -> new PacketReader(packet).string()).isInstanceOf(BadPacketException.class);
        assertThatThrownBy(() -> new PacketReader(new byte[3]).u32()).isInstanceOf(BadPacketException.class);
        byte[] negative = ByteBuffer.allocate(8).putLong(-1).array();
        assertThatThrownBy(() -> new PacketReader(negative).position()).isInstanceOf(BadPacketException.class);
    }
}
