/**
 * The page at {@code /} of each node: {@link io.hawser.ops.dashboard.DashboardFiles} serves its files from the jar, {@link
 * io.hawser.ops.dashboard.LiveFeed} streams the transfers to all who look. It knows only the HTTP server, rights and rows of text; what the rows
 * hold is decided in {@code ops.observe}.
 */
@NullMarked
package io.hawser.ops.dashboard;

import org.jspecify.annotations.NullMarked;
