/**
 * Events of Hawser in flight recordings (JFR): {@link io.hawser.core.trace.WorkSpanEvent} and {@link io.hawser.core.trace.HopMessageEvent}. Both are off
 * until a recording's settings turn them on, and cost nothing measurable while they are off. {@code integration-tests/lab bench phases} reads
 * them.
 */
@NullMarked
package io.hawser.core.trace;

import org.jspecify.annotations.NullMarked;
