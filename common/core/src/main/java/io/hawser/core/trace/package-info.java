/**
 * What a flight recording (JFR) of a node shows of Hawser itself: {@link io.hawser.core.trace.Work} and {@link
 * io.hawser.core.trace.HopMoment}. Both are off until a recording's settings turn them on, and cost nothing then that could be
 * measured. {@code hawser bench phases} reads them.
 */
@NullMarked
package io.hawser.core.trace;

import org.jspecify.annotations.NullMarked;
