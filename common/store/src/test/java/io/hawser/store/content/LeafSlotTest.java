package io.hawser.store.content;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.model.NodeId;
import io.hawser.core.model.TransferId;
import io.hawser.core.model.TransferKey;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class LeafSlotTest {
    private static final TransferKey KEY = new TransferKey(new NodeId(1, 2), new TransferId(3, 4));

    private static ByteBuffer slot() {
        byte[] leaf = new byte[32];
        leaf[0] = (byte) 0xAB;
        leaf[31] = 0x0C;
        ByteBuffer out = ByteBuffer.allocate(LeafSlot.LENGTH_BYTES);
        new LeafSlot(5, 4096, 0x01020304, leaf).putInto(out, KEY);
        return out.flip();
    }

    @Test
    void theBytesOfVersionOneStay() throws Exception {
        assertThat(HexFormat.of().formatHex(slot().array()))
                .isEqualTo("48574c46" + "00000001" + "0000000000000005" + "00001000" + "01020304" // to the CRC
                        + "ab" + "00".repeat(30) + "0c" // leaf
                        + "00000000" + "73365b2e");
    }

    @Test
    void aSlotComesBack() throws Exception {
        LeafSlot read = Objects.requireNonNull(LeafSlot.read(slot(), 0, KEY, 5));

        assertThat(read.length()).isEqualTo(4096);
        assertThat(read.crc32c()).isEqualTo(0x01020304);
        assertThat(read.leaf()[31]).isEqualTo((byte) 0x0C);
    }

    @Test
    void aSlotOfAnotherPlaceOrTransferIsNone() throws Exception {
        TransferKey other = new TransferKey(KEY.publisher(), new TransferId(3, 5));

        assertThat(LeafSlot.read(slot(), 0, KEY, 6)).isNull();
        assertThat(LeafSlot.read(slot(), 0, other, 5)).isNull();
        assertThat(LeafSlot.read(ByteBuffer.allocate(LeafSlot.LENGTH_BYTES), 0, KEY, 0))
                .isNull();
    }

    @Test
    void everyFlippedBitIsSeen() throws Exception {
        for (int bit = 0; bit < LeafSlot.LENGTH_BYTES * 8; bit++) {
            ByteBuffer slot = slot();
            slot.put(bit / 8, (byte) (slot.get(bit / 8) ^ 1 << bit % 8));

            assertThat(LeafSlot.read(slot, 0, KEY, 5)).as("bit %d", bit).isNull();
        }
    }
}
