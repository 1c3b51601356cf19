package io.hawser.client;

import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.AckLevel;
import io.hawser.core.model.Attributes;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.StartAt;
import io.hawser.core.model.Topic;
import io.hawser.core.transport.SubscriptionHop;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Requests that wait for their replies, and the subscription on which these come; made with the first request. Thread: any. */
final class Requests {
    private static final int REPLY_BUFFERS = 4;

    private final HawserClient client;
    private final Topic replyTopic;
    private @Nullable ReplyInbox inbox;
    private @Nullable SubscriptionHop replies;

    Requests(HawserClient client, NodeId node) {
        this.client = client;
        this.replyTopic = Topic.repliesTo(node);
    }

    CompletableFuture<byte[]> send(String topic, String label, byte[] content, Duration timeout) throws IOException {
        String correlation = UUID.randomUUID().toString();
        CompletableFuture<byte[]> reply = new CompletableFuture<>();
        ReplyInbox replies = client.onLoop(() -> {
            ReplyInbox open = inbox();
            open.expect(correlation, reply);
            return open;
        });
        SentTransfer request = client.sendMessage(
                topic,
                label,
                content,
                Map.of(Attributes.REPLY_TOPIC, replyTopic.name(), Attributes.CORRELATION, correlation));
        var unused = request.delivered().whenComplete((receipts, failure) -> {
            if (failure != null) {
                reply.completeExceptionally(failure);
            }
        });
        var timer = client.loop()
                .schedule(
                        () -> {
                            replies.forget(correlation);
                            String late = "no reply from topic " + topic + " within " + timeout.toMillis() + " ms";
                            client.callbacks().execute(() -> reply.completeExceptionally(new HawserException(late)));
                        },
                        timeout.toNanos(),
                        TimeUnit.NANOSECONDS);
        return reply.whenComplete((bytes, failure) -> timer.cancel(false));
    }

    /** Nobody waits for replies any more: their subscription ends at the broker. Thread: the client's loop. */
    void end() {
        SubscriptionHop open = replies;
        if (open != null) {
            client.connection().endReplies(open);
        }
    }

    /** Thread: the client's loop. */
    private ReplyInbox inbox() {
        ReplyInbox open = inbox;
        if (open != null) {
            return open;
        }
        SubscriptionHop[] hop = new SubscriptionHop[1];
        ReplyInbox created = new ReplyInbox(
                replyTopic.name(), client.loop(), client.callbacks(), receipt -> hop[0].receipt(receipt));
        int fragmentSize = client.options().fragmentSizeBytes();
        hop[0] = new SubscriptionHop(
                new SubscriptionHop.Request(replyTopic.name(), replyTopic, StartAt.EARLIEST, AckLevel.CONSUMED),
                created,
                new FragmentBufferPool(fragmentSize, REPLY_BUFFERS),
                created::pendingReceipts,
                2L * fragmentSize,
                new NoListener());
        client.connection().subscribe(hop[0]);
        replies = hop[0];
        inbox = created;
        return created;
    }

    private static final class NoListener implements SubscriptionHop.Listener {
        @Override
        public void onSubscribed() {
            // Replies come when they come.
        }

        @Override
        public void onRefused(Refusal refusal) {
            // The requests that wait run into their time-outs.
        }
    }
}
