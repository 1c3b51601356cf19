package io.hawser.core.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.hop.HopLimits;
import io.hawser.core.hop.HopLink;
import io.hawser.core.hop.HopSender;
import io.hawser.core.hop.SenderStore;
import io.hawser.core.model.NodeId;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.core.testkit.SampleTransfer;
import io.hawser.core.wire.StreamHeader;
import io.hawser.core.wire.StreamHeaderCodec;
import io.hawser.ptcp.PtcpPacket;
import io.hawser.ptcp.PtcpSession;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class HopSessionTest {
    private final HopSession session =
            new HopSession(new FragmentBufferPool(4096, 1), ignoring(HopSession.Owner.class));
    private final HopSender sender = new HopSender(HopLimits.DEFAULT, ignoring(SenderStore.class));

    @SuppressWarnings("unchecked")
    private static <T> T ignoring(Class<T> type) {
        InvocationHandler ignores = (proxy, method, arguments) -> {
            if (method.isDefault()) {
                return InvocationHandler.invokeDefault(proxy, method, arguments);
            }
            return method.getReturnType() == int.class ? 1 : null;
        };
        return (T) Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, ignores);
    }

    @Test
    @Invariant(InvariantName.BOUNDED_MEMORY)
    void senderThatIsAttachedAgainSendsOnItsLastHopAlone() throws Exception {
        for (int hop = 1; hop <= 9; hop++) {
            session.attach(hop, sender);
        }
        sender.linkUp(ignoring(HopLink.class));
        SampleTransfer empty = SampleTransfer.file(new NodeId(1, 1), 1, "t", "a", 0, 64, 1);
        sender.offer(empty.manifest(), 1, true);
        sender.commit(empty.key(), empty.commit(), 1, null);

        PtcpPacket packet = Objects.requireNonNull(session.nextPacket(ignoring(PtcpSession.class), 0));
        StreamHeader header = StreamHeaderCodec.decode(packet.header(), 0);
        assertThat(header).isInstanceOfSatisfying(StreamHeader.OfSmall.class, small -> assertThat(small.items())
                .hasSize(1));
        assertThat(header.hop()).isEqualTo(9);
        List.of(packet.header(), packet.payload()).forEach(bytes -> bytes.release());
    }
}
