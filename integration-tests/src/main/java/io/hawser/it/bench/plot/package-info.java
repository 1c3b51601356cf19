/**
 * Figures of sweeps as SVG, which every browser shows and which can be compared as text. {@link io.hawser.it.bench.plot.SweepPlots} is
 * what the command calls, {@code Chart} what is drawn, {@code Axis} where a value stands, {@code SvgChart} the drawing.
 */
@NullMarked
package io.hawser.it.bench.plot;

import org.jspecify.annotations.NullMarked;
