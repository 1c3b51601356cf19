package io.hawser.core.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.hop.HopMessage;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferId;
import io.hawser.core.model.TransferKey;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.ptcp.wire.FrameLimits;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DeliverySetTest {
    @Test
    @Invariant(InvariantName.NO_SILENT_STOP)
    void largestDeliverySetWithTheLongestNamesIsOneMessage() throws Exception {
        List<String> names = IntStream.range(0, WireLimits.MAX_DELIVERY_SET)
                .mapToObj(i -> i
                        + "x"
                                .repeat(Topic.MAX_LENGTH_BYTES
                                        - Integer.toString(i).length()))
                .toList();
        HopMessage.Committed committed =
                new HopMessage.Committed(new TransferKey(new NodeId(1, 1), new TransferId(1, 1)), names);
        ByteBuf bytes = Unpooled.buffer();

        SessionCodec.encode(bytes, new SessionMessage.OfHop(0, committed));

        assertThat(bytes.readableBytes()).isLessThanOrEqualTo(FrameLimits.CONTROL_PAYLOAD_BYTES);
        assertThat(SessionCodec.decode(bytes)).isEqualTo(new SessionMessage.OfHop(0, committed));
    }
}
