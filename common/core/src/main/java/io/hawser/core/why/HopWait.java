package io.hawser.core.why;

/**
 * Where a transfer waits on a hop now.
 *
 * @param hop the hop's name, as in {@code /transfers}
 * @param stage where it waits
 * @param detail what is known besides, as a phrase; empty if nothing is
 */
public record HopWait(String hop, WaitStage stage, String detail) {}
