package io.hawser.core.hop;

/**
 * A refusal: its code, and a sentence for the user of the refused side.
 *
 * @param code the kind
 * @param detail what happened and what to do about it
 */
public record Refusal(ErrorCode code, String detail) {}
