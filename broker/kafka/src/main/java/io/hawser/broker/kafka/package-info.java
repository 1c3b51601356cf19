/**
 * The broker's store over Apache Kafka: {@link io.hawser.broker.kafka.KafkaStore}. What a store does is in
 * {@code io.hawser.broker.store.local}; here is the log that it does it on.
 *
 * <p>There are two topics. The <i>journal</i> has one partition and the same records as the log on a disk, but for payloads; their
 * order in it is the truth. The <i>payloads</i> lie in a topic of several partitions, each transfer's in one of them; a record of the
 * journal names the place of its own. So the order is one, the bytes spread over the cluster, and the broker that takes over reads records
 * and no payloads.
 *
 * <p>The broker's <i>events</i> are in a third topic, with records as the journal's ({@code KafkaEventJournal}), and fenced as the journal is. The
 * index of the history, an H2 database in the broker's data directory, is made from it.
 *
 * <p>How a record travels: {@code KafkaLog} gives it its place in {@code JournalQueue}; {@code PayloadWriter} writes its payload, if
 * it has one, with many on their way at once; when that has been acknowledged by all nodes that count, {@code JournalWriter} writes
 * the record in one transaction with all others that are ready. When that is committed the record is replicated, and the ack leaves.
 *
 * <p>Who may write: the brokers of one store are a group of Kafka's ({@code ActiveBrokerElection}), and the member that is given the journal's
 * partition begins. It initialises the transactions of one id for all of them, and from then on Kafka refuses those of any earlier
 * broker. Payloads that such a one still writes are named by no record, and do not exist.
 *
 * <h2>Format: journal records version 2, payload parts version 1</h2>
 *
 * All numbers are big-endian. Kafka's records have no key and no headers of their own; the value is one of these.
 *
 * <p>A record of the journal, or a part of one whose body is longer than the topic's {@code max.message.bytes} allows. Its parts
 * follow each other in one transaction, with equal headers but for the part's number and the checksum:
 *
 * <pre>
 *   0  4  magic "HWKJ"
 *   4  1  format version
 *   5  1  kind, as in the log on a disk
 *   6  2  flags: 1 = keyed, 2 = with payload
 *   8  2  part, from 0 on
 *  10  2  number of parts
 *  12  8  sequence, the record's number: one more than that of the record before
 *  20  8  incarnation: one more than that of the last record that the broker found when it took the store
 *  28  8  index
 *  36 32  transfer key: publisher and transfer id, or zeroes
 *  68  2  partition of the payload
 *  70  8  offset of its first part
 *  78  2  offsets from there to the one after its last part
 *  80  4  length of the payload
 *  84  4  length of the whole body
 *  88  4  CRC32C of bytes 0 to 87 and of the part of the body
 *  92     part of the body
 * </pre>
 *
 * <p>A record of events has kind 1; its index is the number of its first event. Its body: 8 bytes, how many bytes the events of all records
 * before it have; then the events, as {@code io.hawser.ops.event} has them.
 *
 * <p>A part of a payload:
 *
 * <pre>
 *   0  4  magic "HWKP"
 *   4  1  format version
 *   5  1  zero
 *   6  2  part, from 0 on
 *   8  2  number of parts
 *  10  4  where its bytes belong in the payload
 *  14  4  length of the whole payload
 *  18  4  CRC32C of the whole payload
 *  22 32  transfer key
 *  54  8  index of the fragment
 *  62 32  leaf: SHA-256 of the payload
 *  94  8  incarnation in which it was written
 * 102  4  CRC32C of bytes 0 to 101
 * 106     bytes
 * </pre>
 */
@NullMarked
package io.hawser.broker.kafka;

import org.jspecify.annotations.NullMarked;
