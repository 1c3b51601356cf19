/**
 * {@code hawser bench}: what the whole chain does on this machine, beside what its disk does in the same run. {@link
 * io.hawser.it.bench.BenchCommand} is the command, {@code ChainBench} the measurement, {@code DiskBaseline} what it is
 * compared with.
 */
@NullMarked
package io.hawser.it.bench;

import org.jspecify.annotations.NullMarked;
