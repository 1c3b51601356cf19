/**
 * {@code hawser bench}: what the whole chain does on this machine, beside what its disk does in the same run. {@link
 * io.hawser.it.bench.BenchCommand} is the command, {@code BenchPlans} makes each bench from what it is told, {@code DiskBaseline} and
 * {@code SmallBaseline} are what the disk's benches are compared with. How figures are told is in {@code report}, links and their
 * peers are in {@code links}, what recordings of the nodes show in {@code recording}, drawings in {@code plot}.
 */
@NullMarked
package io.hawser.it.bench;

import org.jspecify.annotations.NullMarked;
