package io.hawser.common.hop;

/**
 * A refusal: what kind, and a sentence for the user of the side that is refused.
 *
 * @param code the kind
 * @param detail what happened and what to do about it
 */
public record Refusal(ErrorCode code, String detail) {}
