package io.hawser.core.model;

/**
 * How far a transfer is at one of its far ends, as the broker knows it. Thread: any.
 *
 * @param key the transfer
 * @param subscription the far end
 * @param durableBytes bytes that are durable there; 0 or more
 * @param connected whether its consumer is connected to the broker
 */
public record FarEndProgress(TransferKey key, String subscription, long durableBytes, boolean connected) {
    public FarEndProgress {
        if (durableBytes < 0) {
            throw new IllegalArgumentException(durableBytes + " durable bytes");
        }
    }
}
