package io.hawser.it.page;

import io.hawser.core.model.NodeId;
import io.hawser.core.model.TransferId;
import io.hawser.core.model.TransferKey;
import io.hawser.ops.observe.HopStatus;
import io.hawser.ops.observe.ReceiptLine;
import io.hawser.ops.observe.TransferStatus;
import io.hawser.ops.observe.TransferStatus.TransferredObject;
import java.util.ArrayList;
import java.util.List;

/**
 * Builds transfers as a broker shows them.
 *
 * <p>Thread: any.
 */
final class ShownTransfers {
    static final String TO_SITE = HopStatus.toSubscription("site-b");
    private static final NodeId PUBLISHER = NodeId.parse("5ab1e0c4d2f34b6c8a7e9d0b1c2d3e4f");
    private static final long FRAGMENT_BYTES = 1 << 20;

    private ShownTransfers() {}

    /** The key of a transfer that was begun then. */
    static String key(long beganEpochMillis, int number) {
        return new TransferKey(PUBLISHER, TransferId.of(beganEpochMillis, number, number * 0x9E3779B97F4A7C15L))
                .toString();
    }

    /** One of which that much is durable at the broker and at site-b. */
    static TransferStatus moving(String key, String topic, String name, long size, long here, long there) {
        boolean isHere = here >= size;
        return transfer(
                key,
                topic,
                name,
                size,
                isHere ? "committed" : "receiving",
                hop(HopStatus.PUBLISHER_TO_BROKER, isHere ? "committed" : "sending", Math.min(size, here), "", 0),
                hop(TO_SITE, "sending", Math.min(size, there), "", 0));
    }

    static TransferStatus delivered(String key, String topic, String name, long size) {
        return transfer(
                key,
                topic,
                name,
                size,
                "delivered",
                hop(HopStatus.PUBLISHER_TO_BROKER, "committed", size, "", 0),
                hop(TO_SITE, "delivered", size, "", 0));
    }

    /** One that waits on its second hop. */
    static TransferStatus stuck(String key, String topic, String name, long size, String reason, long idleMillis) {
        String hop = HopStatus.toSubscription(topic);
        return transfer(
                key,
                topic,
                name,
                size,
                "committed",
                hop(HopStatus.PUBLISHER_TO_BROKER, "committed", size, "", 0),
                hop(hop, "waiting", size / 3, reason, idleMillis));
    }

    /** One on the dead-letter list of site-b, whose reason its broker shows with what to do. */
    static TransferStatus dead(String key, String name, long size, String reason) {
        String shown = "a dead letter at the far end: " + reason + ". There, 'hawser dead retry " + key
                + "' delivers it and 'hawser dead drop' discards it";
        return ended(key, name, size, "dead", reason + ".", hop(TO_SITE, "committed", size, shown, 0));
    }

    /** One that ended without success; its broker shows why only in the receipt. */
    static TransferStatus ended(String key, String name, long size, String state, String reason) {
        return ended(key, name, size, state, reason, hop(TO_SITE, state, size, "", 0));
    }

    private static TransferStatus ended(
            String key, String name, long size, String state, String reason, HopStatus there) {
        return new TransferStatus(
                key,
                new TransferredObject("site-b", name, "file", size, FRAGMENT_BYTES),
                state,
                age(key),
                List.of(hop(HopStatus.PUBLISHER_TO_BROKER, "committed", size, "", 0), there),
                List.of(new ReceiptLine("site-b", state, reason, age(key) / 2)));
    }

    private static long age(String key) {
        return System.currentTimeMillis() - TransferKey.parse(key).id().epochMillis();
    }

    private static HopStatus hop(String hop, String state, long durable, String reason, long idleMillis) {
        return new HopStatus(hop, state, new HopStatus.Bytes(durable, durable, 0, 16 << 20, 0), reason, idleMillis);
    }

    private static TransferStatus transfer(
            String key, String topic, String name, long size, String state, HopStatus... hops) {
        List<ReceiptLine> receipts = new ArrayList<>();
        if (state.equals("delivered")) {
            receipts.add(new ReceiptLine("site-b", "delivered", "", 3_000));
        }
        return new TransferStatus(
                key,
                new TransferredObject(topic, name, "file", size, FRAGMENT_BYTES),
                state,
                age(key),
                List.of(hops),
                receipts);
    }
}
