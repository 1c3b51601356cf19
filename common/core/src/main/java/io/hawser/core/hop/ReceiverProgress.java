package io.hawser.core.hop;

/**
 * The progress of a transfer at a receiver, for people.
 *
 * @param state a word for where it is
 * @param durableFragments fragments that are durable here
 */
public record ReceiverProgress(String state, long durableFragments) {}
