package io.hawser.ops.observe;

import io.hawser.core.model.Receipt;
import java.util.Locale;

/**
 * A far end's receipt of a transfer.
 *
 * @param subscription the subscription of the far end
 * @param status {@code landed}, {@code delivered}, {@code failed} or {@code expired}
 * @param reason why it failed, or the member of a group that sent it; else empty
 * @param ageMillis since this node received it
 */
public record ReceiptLine(String subscription, String status, String reason, long ageMillis) {
    public static ReceiptLine of(Receipt receipt, long nowMillis) {
        return new ReceiptLine(
                receipt.subscription(),
                receipt.status().name().toLowerCase(Locale.ROOT),
                receipt.reason(),
                Math.max(0, nowMillis - receipt.epochMillis()));
    }
}
