/**
 * The broker's store on this machine. The log ({@link io.hawser.store.log.SegmentLog}) is the truth: the state is the fold of
 * its records, in their order. {@code H2Index} keeps that fold so that it need not be on the heap, and answers questions; it
 * may be lost at any time and is then made again from the log. No ack waits for it.
 *
 * <p>How a record travels: the relay's loop encodes it ({@code RecordCodec}) and appends it; the log-writer forces its group and
 * hands the group to the index thread's queue ({@code IndexThread}), and only then completes the appends. Questions go through
 * the same queue, so they see all that anyone was told. The index thread folds records into {@code IndexedTransfer}s in memory
 * ({@code RecordApplier}) and writes those that live on to H2 some ten times a second: a small transfer that is finished by then
 * never gets there.
 *
 * <p>{@code SegmentCleaner} deletes segments from the oldest on. What is still needed of it is carried forward first, by
 * {@code RecordRelocator}, exactly as it is. Only prefixes of the log are ever deleted, so no
 * record can come back to life for want of the one that ended it.
 *
 * <p>A body begins with the version of its format, 2. {@link io.hawser.core.codec} has the form of the fields. A time is 8 bytes,
 * milliseconds since the epoch; a row or a number 8 bytes; a flag, a start, a level or a kind 1 byte; a list has its length <em>n</em> in
 * front. A record of one transfer has the key in its header; the others have none there. What a record changes is in the description of
 * {@link io.hawser.broker.relay.RelayRecord}.
 *
 * <table>
 * <caption>Kinds of records</caption>
 * <tr><th>kind</th><th>name</th><th>body</th></tr>
 * <tr><td>1</td><td>OPENED</td><td>time, key, manifest</td></tr>
 * <tr><td>2</td><td>FRAGMENT</td><td>time; key, index, leaf and payload are the record's own</td></tr>
 * <tr><td>3</td><td>SMALL</td><td>time, key, manifest, commit, delivery set; payload</td></tr>
 * <tr><td>4</td><td>COMMITTED</td><td>time, commit, delivery set</td></tr>
 * <tr><td>5</td><td>CANCELLED</td><td>time, reason</td></tr>
 * <tr><td>6</td><td>SUBSCRIBED</td><td>new (flag), first on topic (flag), subscription as in 12</td></tr>
 * <tr><td>7</td><td>UNSUBSCRIBED</td><td>time, name, topic</td></tr>
 * <tr><td>8</td><td>SETTLED</td><td>time, subscription's name</td></tr>
 * <tr><td>9</td><td>RECEIPT_KEPT</td><td>time, key, receipt</td></tr>
 * <tr><td>10</td><td>RECEIPT_ACKED</td><td>time, subscription's name</td></tr>
 * <tr><td>11</td><td>TRANSFER_CARRIED</td><td>key, manifest, time of OPENED, time of the last change, bytes kept (8), ranges that are
 * durable, whether the bytes were released (flag), whether it is committed (flag; if so commit, its record's number, its time), delivery
 * set, who is owed it, who has acknowledged, receipts that are kept (key, receipt, number), permits (subscription, node id), and of one that is
 * cancelled or steered the reason, whether it is held (flag), its priority (1). It replaces
 * what is known of the transfer</td></tr>
 * <tr><td>12</td><td>SUBSCRIPTION_CARRIED</td><td>subscription: name, topic, owner (node id), start, ack level, terms (pairs of
 * texts), a group's members (name, node id, subject) and those lost (node ids), its owner's subject, since when (time), whether it was
 * released (flag)</td></tr>
 * <tr><td>13</td><td>TOMBSTONES</td><td>row, then a list: key, time</td></tr>
 * <tr><td>14</td><td>EXPIRED</td><td>time, reason</td></tr>
 * <tr><td>15</td><td>FORGOTTEN</td><td>time, reason</td></tr>
 * <tr><td>16</td><td>DELIVERIES</td><td>row, then a list of what far ends have published: key, subscription, topic, kind, name, name that a
 * rename gave, size, digest (fragment size 4, root 32), time, number of its receipt's record</td></tr>
 * <tr><td>17</td><td>PERMITTED</td><td>time, subscription's name, node id of the member</td></tr>
 * <tr><td>18</td><td>RECALLED</td><td>time, reason, subscriptions that are asked</td></tr>
 * <tr><td>19</td><td>STEERED</td><td>time, held (flag), priority (1)</td></tr>
 * </table>
 *
 * <p>A transfer is finished, and leaves a tombstone, when nobody is owed it, its publisher has acknowledged the receipts of all of its
 * delivery set, and no other final receipt is kept. Its bytes are released when it has a delivery set and nobody is owed it, or it is
 * recalled.
 */
@NullMarked
package io.hawser.broker.store.local;

import org.jspecify.annotations.NullMarked;
