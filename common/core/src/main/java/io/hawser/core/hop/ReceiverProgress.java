package io.hawser.core.hop;

/**
 * The progress of a transfer at a receiver.
 *
 * @param state its state
 * @param durableFragments fragments that are durable here
 */
public record ReceiverProgress(String state, long durableFragments) {}
