/**
 * What is on a node's disk, read by the documents alone: {@code docs/reference/format-log.md}, {@code format-spool.md} and {@code
 * format-landing.md}, and the package descriptions of {@code io.hawser.store.log}, {@code io.hawser.core.codec}, {@code
 * io.hawser.broker.store.local} and {@code io.hawser.broker.relay.RelayRecord}. Nothing here uses a store's own code, so a store and a reader that are wrong in the same way need two
 * mistakes. {@code ReferenceLog} reads the records, {@code ReferenceInput} their fields, and the folds {@code ReferenceSpool}, {@code
 * ReferenceLanding} and {@code ReferenceRelay} what a recovery must know of each transfer.
 */
@NullMarked
package io.hawser.it.reference;

import org.jspecify.annotations.NullMarked;
