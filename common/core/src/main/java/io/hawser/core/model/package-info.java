/**
 * The vocabulary of the substrate as values: what a transfer is, how it is named, which of its fragments one means, how it
 * ends. Plain records on the JDK alone; nothing here touches a clock, a thread, a file or a socket.
 *
 * <p>Start with {@link io.hawser.core.model.Manifest} (what describes a transfer),
 * {@link io.hawser.core.model.TransferKey} (what names it) and {@link io.hawser.core.model.FragmentRanges} (what is
 * acked, resumed and owed).
 */
@NullMarked
package io.hawser.core.model;

import org.jspecify.annotations.NullMarked;
