/**
 * The journal of a store: what was said about which transfer, durable. The spool and the landing area keep one each; a role adds
 * kinds of records, not a journal of its own.
 *
 * <p>{@link io.hawser.store.journal.TransferJournal} appends records to a {@link io.hawser.store.log segment log} and completes on the
 * loop. {@link io.hawser.store.journal.RecordKinds} is the table of a role's kinds: number, type, body. {@link
 * io.hawser.store.journal.JournalCleaner} deletes segments that no transfer needs, which {@link
 * io.hawser.store.journal.JournalUse} counts, and appends once more what is live in the oldest.
 *
 * <p>Recovery is one procedure for every role:
 *
 * <ol>
 *   <li>The log finds its end: a torn tail is cut off, damage is reported ({@link io.hawser.store.log}).
 *   <li>{@link io.hawser.store.journal.TransferJournal#replay} shows all records in their order. The role applies each to its transfers.
 *       Records are idempotent, so one that was appended once more changes nothing.
 *   <li>The role compares its transfers with their content files, and deletes files that no transfer needs.
 * </ol>
 */
@NullMarked
package io.hawser.store.journal;

import org.jspecify.annotations.NullMarked;
