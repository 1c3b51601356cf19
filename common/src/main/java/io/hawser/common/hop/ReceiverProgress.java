package io.hawser.common.hop;

/**
 * How a transfer stands at a receiver, for people.
 *
 * @param state a word for where it is
 * @param durableFragments fragments that are durable here
 */
public record ReceiverProgress(String state, long durableFragments) {}
