package io.hawser.common.hop;

/**
 * How a transfer stands at a sender, for people.
 *
 * @param state a word for where it is
 * @param ackedBytes bytes that are durable at the receiver
 * @param sentBytes bytes that were given to streams, each time counted
 * @param resentBytes of these, bytes of fragments that had been given to a stream before
 * @param held why it does not go on for now, as a phrase; empty if nothing holds it back
 */
public record SenderProgress(String state, long ackedBytes, long sentBytes, long resentBytes, String held) {}
