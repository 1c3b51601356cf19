/**
 * The durable record of what happened at a node. {@link io.hawser.ops.event.EventLog} takes events from the node's store ({@link
 * io.hawser.store.event}) and from the node itself, and appends them in groups to a journal of its own: a segment log in the directory
 * {@code events} of the node's data ({@code LocalEventJournal}), or with {@code --store kafka} a topic. {@link io.hawser.ops.event.History}
 * is the projection to one row for each transfer that has ended, in an H2 database in the same directory, which is made again from the log
 * at any doubt.
 *
 * <h2>Format, version 1</h2>
 *
 * The log's records have kind 1; the record's index is the number of its first event. {@link io.hawser.core.codec} has the form of the
 * fields. A body: format version (1 byte), id of the log whose records cause events (text), the last {@linkplain
 * io.hawser.store.event.Cause cause} so far (8, 8), and a list of events: type (1), time (8, milliseconds since the epoch), flags (1: 1 = it
 * has a transfer key, 2 = it ends the transfer at this node), key (32) or subject (text), subscription (text), cause (8, 8; 0 if none), topic,
 * name, kind, digest, who, from, reason (texts), size (8, -1 if not known), bytes sent again (8, -1 if not known), when it began (8, 0 if not
 * known).
 */
@NullMarked
package io.hawser.ops.event;

import org.jspecify.annotations.NullMarked;
