package io.hawser.client;

import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.AckLevel;
import io.hawser.core.model.Attributes;
import io.hawser.core.model.NodeId;
import io.hawser.core.model.Receipt;
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

/**
 * Sends requests and matches replies to them. The first request opens the subscription on which replies arrive.
 *
 * <p>Thread: any, unless a method names the loop.
 */
final class RequestReplyClient {
    private static final int REPLY_BUFFERS = 4;

    private final HawserClient client;
    private final Topic replyTopic;
    /** Owned by the client's loop, as is {@link #replies}. */
    private @Nullable ReplyInbox inbox;

    private @Nullable SubscriptionHop replies;

    RequestReplyClient(HawserClient client, NodeId node) {
        this.client = client;
        this.replyTopic = Topic.repliesTo(node);
    }

    CompletableFuture<byte[]> send(String topic, String label, byte[] content, Duration timeout) throws IOException {
        String correlation = UUID.randomUUID().toString();
        CompletableFuture<byte[]> reply = new CompletableFuture<>();
        ReplyInbox open = client.onLoop(() -> {
            ReplyInbox opened = inbox();
            opened.expect(correlation, reply);
            return opened;
        });
        var unusedEnd = reply.whenComplete(
                (bytes, failure) -> client.loop().execute(() -> open.forget(correlation))); // nothing more is awaited
        SentTransfer request;
        try {
            request = client.sendMessage(
                    topic,
                    label,
                    content,
                    Map.of(Attributes.REPLY_TOPIC, replyTopic.name(), Attributes.CORRELATION, correlation));
        } catch (IOException | RuntimeException e) {
            reply.completeExceptionally(e);
            throw e;
        }
        var unused = request.delivered().whenComplete((receipts, failure) -> {
            if (failure != null) {
                reply.completeExceptionally(failure);
            }
        });
        var timer = client.loop()
                .schedule(
                        () -> {
                            String late = "no reply from topic " + topic + " within " + timeout.toMillis() + " ms";
                            client.callbacks()
                                    .execute(() -> reply.completeExceptionally(
                                            new HawserException(HawserException.Reason.NO_REPLY, late)));
                        },
                        timeout.toNanos(),
                        TimeUnit.NANOSECONDS);
        return reply.whenComplete((bytes, failure) -> timer.cancel(false));
    }

    /** Ends the reply subscription at the broker. Thread: the client's loop. */
    void end() {
        assert client.loop().inEventLoop();
        SubscriptionHop open = replies;
        if (open != null) {
            client.connection().endReplies(open);
        }
    }

    /** Thread: the client's loop. */
    private ReplyInbox inbox() {
        assert client.loop().inEventLoop();
        ReplyInbox open = inbox;
        if (open != null) {
            return open;
        }
        ReplyInbox created = new ReplyInbox(replyTopic.name(), client.loop(), client.callbacks(), this::onReceipt);
        int fragmentSize = client.options().limits().fragmentSizeBytes();
        SubscriptionHop hop = new SubscriptionHop(
                new SubscriptionHop.Request(replyTopic.name(), replyTopic, StartAt.EARLIEST, AckLevel.CONSUMED),
                created,
                new FragmentBufferPool(fragmentSize, REPLY_BUFFERS),
                created::pendingReceipts,
                2L * fragmentSize,
                new NoListener());
        client.connection().subscribe(hop);
        replies = hop;
        inbox = created;
        return created;
    }

    private void onReceipt(Receipt receipt) {
        SubscriptionHop open = replies;
        if (open != null) {
            open.receipt(receipt);
        }
    }

    private static final class NoListener implements SubscriptionHop.Listener {
        @Override
        public void onSubscribed() {
            // A request does not wait for its reply subscription.
        }

        @Override
        public void onRefused(Refusal refusal) {
            // Pending requests run into their timeouts.
        }
    }
}
