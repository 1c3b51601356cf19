/**
 * An append-only log of self-describing records in segment files, with group commit. The broker's store, the spool and the
 * landing journal are each such a log with kinds of their own. Start with {@link io.hawser.store.log.SegmentLog}.
 *
 * <p>How the types work together: {@code AppendQueue} takes appends from any thread; {@code LogWriter} takes what waits, packs
 * what is small ({@code PackedGroup}), writes large payloads from where they are, forces once, tells the
 * {@link io.hawser.store.log.LogObserver} and then the callbacks. {@code SegmentFiles} and {@code SpareSegments} give it files.
 * {@code RecordLookup} reads single records, {@code SegmentScanner} whole segments, {@code LogRecovery} the last one when the
 * log is opened.
 *
 * <h2>Format, version 2</h2>
 *
 * All numbers are big-endian. {@code docs/reference/format-log.md} says what may change.
 *
 * <p>A segment begins with a block of 4096 bytes:
 *
 * <pre>
 *   0  8  magic "HWSRSEGM"
 *   8  2  format version
 *  10  2  flags: 1 = the file was a spare, old bytes may follow the last record
 *  12  4  block size, 4096
 *  16 16  log id
 *  32  8  segment number
 *  40  8  number of the first record
 *  48  8  epoch
 *  56  4  CRC32C of bytes 0 to 55
 *  60     zeroes
 * </pre>
 *
 * Records follow, each at a multiple of 8; each group begins at a multiple of 4096. A record begins with a header of 128 bytes:
 *
 * <pre>
 *   0  4  magic "HWLR"
 *   4  1  format version
 *   5  1  kind: 1 to 127 the user's, 254 seal, 255 padding
 *   6  2  flags: 1 = bulk, 2 = keyed
 *   8  8  sequence, the record's number: one more than that of the record before
 *  16  4  epoch, never lower than that of the record before
 *  20  4  sequence minus the sequence of the first record of the same group
 *  24  4  length of the body
 *  28  4  length of the payload
 *  32 32  transfer key: publisher and transfer id, or zeroes
 *  64  8  index
 *  72 32  leaf: SHA-256 of the payload, or zeroes
 * 104  4  CRC32C of the body
 * 108  4  CRC32C of the payload
 * 112  8  number of its segment
 * 120  4  its place in the segment, in units of 8 bytes
 * 124  4  CRC32C of the log id and bytes 0 to 123
 * 128     body; in a packed record then the payload, then zeroes to a multiple of 8
 * </pre>
 *
 * A bulk record begins at a multiple of 4096, its body ends within that block, and its payload begins with the next block and
 * is followed by zeroes to the end of its last. Padding is a record whose body is zeroes; a sealed segment ends with a seal.
 *
 * <p>{@code SegmentListFile} keeps the file {@code segments}, which tells a deleted segment from a lost one; its bytes are in {@code
 * docs/reference/format-log.md}.
 *
 * <h2>Recovery</h2>
 *
 * A group is written only after the one before has been forced. So a record that cannot be read was never acked if no valid
 * record after it belongs to a later group: in the last segment that is a torn tail, which is cut off after a copy of it was
 * kept. Anything else is damage: it is reported, and the records after it are read all the same. The last segment is then sealed
 * and forced, and the new run begins a segment of its own.
 */
@NullMarked
package io.hawser.store.log;

import org.jspecify.annotations.NullMarked;
