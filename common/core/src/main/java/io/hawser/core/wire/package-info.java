/**
 * The bytes of the hop protocol, version 1. All numbers are big-endian; a string is a u16 length and UTF-8; a key is the
 * publisher's node id and the transfer id, 16 bytes each.
 *
 * <p>A <b>control message</b> (on the communication channel) is a kind (u8), the hop within the session (u16) and the fields:
 *
 * <pre>
 *   1 OPEN        manifest, flags u8 (1 = resumed)
 *   2 RESUME      key, ranges
 *   3 ACK         key, ranges
 *   4 NACK        key, index i64
 *   5 COMMIT      key, commit
 *   6 COMMITTED   key, count u16, subscription names, repeated bytes i64
 *   7 RECEIPT     key, subscription, status u8 (1 LANDED, 2 DELIVERED, 3 FAILED, 4 EXPIRED, 5 DEAD), reason,
 *                 epoch milliseconds i64
 *   8 RECEIPT_ACK key, subscription, status u8
 *   9 CANCEL      key, reason
 *  10 CANCELLED   key
 *  11 REFUSE      key, code u16, detail
 *  12 CREDIT      window bytes i64
 *  13 CHECK       keys
 *  14 CHECKED     keys (absent), keys (finished)
 *  20 SUBSCRIBE   name, topic, start u8, ack level u8, serving u8 (0 no, 1 answers calls, 2 refuses them)
 *  21 SUBSCRIBED
 *  22 NOT_SUBSCRIBED  code u16, detail
 *  23 LEAVE
 *  24 SUBSCRIBE_ON_TERMS  as SUBSCRIBE, then terms (count u8, pairs of strings)
 *  25 NOT_SERVING     code u16, detail
 *  26 UNSUBSCRIBE
 *  30 ASK          call i64, topic, question
 *  31 ANSWERED     call i64, answer
 *  32 CALL_REFUSED call i64, code u16, detail
 *  33 CANCEL_CALL  call i64
 *
 *   manifest = key, number i64, topic, kind u8, name, paths (count u8, strings), size i64, fragment size i32,
 *              attributes (count u8, pairs of strings)
 *   commit   = size i64, fragment count i64, fragment size i32, root 32 bytes
 *   keys     = count u16, keys
 *   ranges   = count u32, pairs of i64 (start, end)
 *   question = 1 STAT, name | 2 LIST, name, after | 3 READ, name, fingerprint, offset i64, length i32
 *              | 4 CHECKSUM, name, algorithm u8, offset i64, length i64 (-1 to the end); the kind is a u8
 *   answer   = 1 FILE, file | 2 PAGE, next | 3 BLOCK, file | 4 CHECKSUM, hex; the kind is a u8
 *   file     = kind u8 (0 file, 1 directory), size i64, modified milliseconds i64, mode u16, name, fingerprint
 * </pre>
 *
 * <p>Calls (30 to 33) belong to no hop; the field is 0. FILE and CHECKSUM travel as ANSWERED, the others as packets.
 *
 * <p>A <b>packet header</b> (on a stream, before the payload) is a kind (u8), the hop (u16) and:
 *
 * <pre>
 *   1 FRAGMENT  key, index i64, offset i32, length i32, fragment length i32, CRC32C i32, leaf 32 bytes, flags u8 (1 = resent)
 *   2 SMALL     count u16, then for each: manifest, commit, CRC32C i32, leaf 32 bytes, flags u8 (1 = resumed)
 *   3 ANSWER    call i64, CRC32C of the payload i32, answer; the hop is 0. A PAGE's payload is a sequence of files
 *   4 ANSWER_PART  call i64, CRC32C of the whole payload i32, offset i32, length of the whole i32, answer; the hop is 0
 * </pre>
 *
 * <p>A <b>greeting</b> (when the session opens) is: version u8, role u8, node id 16 bytes, epoch i64.
 *
 * <p>Unknown kinds, lengths beyond their limits and left-over bytes end the session. The limits are named in
 * {@link io.hawser.core.wire.WireLimits}.
 */
@NullMarked
package io.hawser.core.wire;

import org.jspecify.annotations.NullMarked;
