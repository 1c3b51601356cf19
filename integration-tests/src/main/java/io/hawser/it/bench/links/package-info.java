/**
 * {@code hawser bench links}: files over emulated long links, {@link io.hawser.it.bench.links.Race} by race. {@code Wan} is the
 * emulator, {@code LinkNodes} the three nodes at its two ends, {@code LinkDriver} the client beside agent-a, in a process of its
 * own because it lives in a network namespace; {@code LinksBench} measures.
 */
@NullMarked
package io.hawser.it.bench.links;

import org.jspecify.annotations.NullMarked;
