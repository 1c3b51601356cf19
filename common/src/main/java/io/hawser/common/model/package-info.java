/**
 * The vocabulary of the substrate as values: what a transfer is, how it is named, which of its fragments one means, how it
 * ends. Plain records on the JDK alone; nothing here touches a clock, a thread, a file or a socket.
 *
 * <p>Start with {@link io.hawser.common.model.Manifest} (what describes a transfer),
 * {@link io.hawser.common.model.TransferKey} (what names it) and {@link io.hawser.common.model.FragmentRanges} (what is
 * acked, resumed and owed).
 */
@NullMarked
package io.hawser.common.model;

import org.jspecify.annotations.NullMarked;
