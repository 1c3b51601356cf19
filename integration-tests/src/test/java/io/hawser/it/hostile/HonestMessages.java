package io.hawser.it.hostile;

import io.hawser.core.hop.HopMessage;
import io.hawser.core.hop.PacketHeader;
import io.hawser.core.hop.SmallItem;
import io.hawser.core.integrity.Crc32c;
import io.hawser.core.testkit.SampleTransfer;
import io.hawser.core.wire.StreamHeader;
import java.nio.ByteBuffer;
import java.util.List;

/** What an honest publisher says of a transfer, for a {@link RawNode} to say or to alter. Thread: any. */
final class HonestMessages {
    private HonestMessages() {}

    /** All of a transfer in its order: OPEN, its packets, COMMIT. */
    static RawNode publish(RawNode node, SampleTransfer transfer) {
        node.send(new HopMessage.Open(transfer.manifest(), false));
        for (int i = 0; i < transfer.fragmentCount(); i++) {
            node.send(fragment(RawNode.PUBLISHING_HOP, transfer, i));
        }
        return node.send(new HopMessage.CommitTransfer(transfer.key(), transfer.commit()));
    }

    /** A whole fragment of a transfer as one packet. */
    static FloodNode.Packet fragment(int hop, SampleTransfer transfer, int index) {
        ByteBuffer bytes = transfer.bytesOf(index);
        byte[] payload = new byte[bytes.remaining()];
        bytes.get(payload);
        PacketHeader header = new PacketHeader(
                transfer.key(),
                index,
                0,
                payload.length,
                payload.length,
                Crc32c.of(ByteBuffer.wrap(payload)),
                transfer.leaves().get(index),
                false);
        return new FloodNode.Packet(new StreamHeader.OfFragment(hop, header), payload);
    }

    /** A transfer of at most one fragment as a packet of one small item. */
    static FloodNode.Packet small(int hop, SampleTransfer transfer, boolean resumed) {
        byte[] content = transfer.content();
        byte[] leaf =
                transfer.fragmentCount() == 0 ? new byte[32] : transfer.leaves().get(0);
        SmallItem item = new SmallItem(
                transfer.manifest(), transfer.commit(), Crc32c.of(ByteBuffer.wrap(content)), leaf, resumed);
        return new FloodNode.Packet(new StreamHeader.OfSmall(hop, List.of(item)), content);
    }
}
