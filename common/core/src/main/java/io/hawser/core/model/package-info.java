/**
 * Values: transfers, their names and fragments, subscriptions, receipts. Records on the JDK alone, without clocks, threads, files or
 * sockets.
 *
 * <p>Start with {@link io.hawser.core.model.Manifest} (describes a transfer), {@link io.hawser.core.model.TransferKey} (identifies it) and
 * {@link io.hawser.core.model.FragmentRanges} (the set of its fragments that is acked, resumed or owed).
 */
@NullMarked
package io.hawser.core.model;

import org.jspecify.annotations.NullMarked;
