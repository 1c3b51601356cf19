/**
 * The publisher's durable side: what is to be sent is made durable here before the first byte leaves, and kept until the next
 * hop has it. Used by agent-a for uploads and by the Java API and {@code hawser send} with their state directory.
 *
 * <p>{@link io.hawser.store.spool.Spool} is the door. What comes in is an {@link io.hawser.store.spool.Upload} (bytes in any
 * order, size known or not), a small object in one call, or a {@code Path} that is read in place under its {@link
 * io.hawser.store.spool.SourceFingerprint}. What is to be sent is passed to a {@link io.hawser.store.spool.SpoolOutlet} and loaded
 * through the hop's port {@link io.hawser.core.hop.SenderStore}.
 *
 * <p>Inside, {@link io.hawser.store.spool.TransferLifecycle} is the one way by which anything happens to a transfer: journaled, then
 * folded into {@link io.hawser.store.spool.SpoolTransfer}, then told. {@link io.hawser.store.spool.FirstRecordQueue} keeps the
 * order of first records and packs small transfers; {@link io.hawser.store.spool.ContentWriter} makes fragments durable in
 * groups; {@link io.hawser.store.spool.SpoolRecovery} builds the state from an earlier life. What lies on the disk is
 * described in {@code docs/reference/format-spool.md}.
 */
@NullMarked
package io.hawser.store.spool;

import org.jspecify.annotations.NullMarked;
