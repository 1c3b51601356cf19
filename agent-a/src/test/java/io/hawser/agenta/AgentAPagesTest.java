package io.hawser.agenta;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.agenta.testkit.SpoolRig;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.store.spool.UploadRequest;
import io.hawser.store.testkit.FaultyStorage;
import io.netty.channel.DefaultEventLoop;
import io.netty.channel.EventLoop;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The words for transfers on the page of agent-a. */
final class AgentAPagesTest {
    private final EventLoop loop = new DefaultEventLoop();
    private final SpoolRig rig;

    AgentAPagesTest() throws Exception {
        this.rig = new SpoolRig(loop, SpoolRig.config().withMaxAwaitingReceipts(1), new FaultyStorage());
    }

    @AfterEach
    void stop() {
        loop.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }

    private TransferKey brokered(String name) throws Exception {
        UploadRequest request = new UploadRequest(
                new Topic("t"),
                TransferKind.FILE,
                name,
                List.of(name),
                0,
                64 << 10,
                Map.of(),
                UploadRequest.Keyed.NONE);
        TransferKey key = rig.onLoop(() -> rig.store.sendSmall(request, ByteBuffer.allocate(0), durable -> {}))
                .get();
        rig.brokered(key, "one", "two");
        return key;
    }

    private String word(TransferKey key) {
        return rig.all().stream()
                .filter(state -> state.key().equals(key))
                .map(AgentAPages::word)
                .findFirst()
                .orElseThrow();
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void deliveredIsOnlyWhatAllHaveSaidToBeDelivered() throws Exception {
        TransferKey unfollowed = brokered("unfollowed");
        assertThat(word(unfollowed)).isEqualTo("committed");
        rig.receipt(unfollowed, "one", ReceiptStatus.DELIVERED, "");
        rig.receipt(unfollowed, "two", ReceiptStatus.LANDED, "");
        TransferKey delivered = brokered("delivered"); // only one is followed
        assertThat(word(unfollowed)).isEqualTo("not followed");

        rig.receipt(delivered, "one", ReceiptStatus.DELIVERED, "");
        rig.receipt(delivered, "two", ReceiptStatus.DELIVERED, "");
        assertThat(word(delivered)).isEqualTo("delivered");
    }
}
