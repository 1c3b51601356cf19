/**
 * Why a transfer is not faster: {@link io.hawser.core.why.WaitStage} names where it waits, {@link io.hawser.core.why.WaitBoard} counts
 * that over the last 5 s and 60 s, and {@link io.hawser.core.why.Verdict} names the bottleneck. {@link io.hawser.core.why.Forecast} says
 * when a resource is full. Pure: no clock, no I/O.
 */
@NullMarked
package io.hawser.core.why;

import org.jspecify.annotations.NullMarked;
