package io.hawser.agenta;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.agenta.testkit.TestSpool;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.store.spool.UploadRequest;
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
    private final TestSpool spool = new TestSpool(loop);

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
        TransferKey key = loop.submit(() -> spool.sendSmall(request, ByteBuffer.allocate(0), durable -> {}))
                .get()
                .get();
        loop.submit(() -> {}).sync(); // it is durable a turn later
        spool.brokered(key, "one", "two");
        return key;
    }

    private String word(TransferKey key) {
        return spool.all().stream()
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
        spool.receipt(unfollowed, "one", ReceiptStatus.DELIVERED, "");
        spool.receipt(unfollowed, "two", ReceiptStatus.LANDED, "");
        spool.finish(unfollowed);
        assertThat(word(unfollowed)).isEqualTo("not followed");

        TransferKey delivered = brokered("delivered");
        spool.receipt(delivered, "one", ReceiptStatus.DELIVERED, "");
        spool.receipt(delivered, "two", ReceiptStatus.DELIVERED, "");
        spool.finish(delivered);
        assertThat(word(delivered)).isEqualTo("delivered");
    }
}
