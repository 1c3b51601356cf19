package io.hawser.ops.observe;

/**
 * What one far end said of a transfer.
 *
 * @param subscription whose consumer it was
 * @param status {@code landed}, {@code delivered}, {@code failed} or {@code expired}
 * @param reason why it failed, which member of a group speaks, else empty
 * @param ageMillis since this node has it
 *
 * <p>Thread: immutable.
 */
public record ReceiptLine(String subscription, String status, String reason, long ageMillis) {}
