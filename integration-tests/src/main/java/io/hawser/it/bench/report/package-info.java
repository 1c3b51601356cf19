/**
 * What every bench says of itself, in one shape: the machine, the parameters, and {@link io.hawser.it.bench.report.Measurement figures}
 * with their spread and their physical limit; for people or as JSON. {@link io.hawser.it.bench.report.BenchReport} collects it.
 */
@NullMarked
package io.hawser.it.bench.report;

import org.jspecify.annotations.NullMarked;
