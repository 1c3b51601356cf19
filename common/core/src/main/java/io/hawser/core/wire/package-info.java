/**
 * The bytes of the hop protocol, version 2. {@link io.hawser.core.codec} has the form of the fields: n, text, key, manifest, commit,
 * receipt, refusal, ranges.
 *
 * <p>A <b>control message</b> (on the communication channel) is a kind (u8), the hop within the session (u16) and the fields:
 *
 * <pre>
 *   1 OPEN        key, manifest, flags u8 (1 = resumed)
 *   2 RESUME      key, ranges
 *   3 ACK         key, ranges
 *   4 NACK        key, index i64
 *   5 COMMIT      key, commit
 *   6 COMMITTED   key, n, subscription names, repeated bytes i64
 *   7 RECEIPT     key, receipt (status 1 LANDED, 2 DELIVERED, 3 FAILED, 4 EXPIRED, 5 DEAD, 6 CANCELLED)
 *   8 RECEIPT_ACK key, subscription, status u8
 *   9 CANCEL      key, reason
 *  10 CANCELLED   key
 *  11 REFUSE      key, refusal
 *  12 CREDIT      window bytes i64
 *  13 CHECK       keys
 *  14 CHECKED     keys (absent), keys (finished)
 *  15 RECALL      key, reason
 *  17 ASK_PROGRESS keys
 *  18 PROGRESS    n, then for each: key, subscription, durable bytes i64, connected u8
 *  20 SUBSCRIBE   name, topic, start u8, ack level u8, serving u8 (0 no, 1 answers calls, 2 refuses them), terms (n, pairs of
 *                 texts)
 *  21 SUBSCRIBED
 *  22 NOT_SUBSCRIBED  refusal
 *  23 LEAVE
 *  25 NOT_SERVING     refusal
 *  26 UNSUBSCRIBE
 *  30 ASK          call i64, topic, question
 *  31 ANSWERED     call i64, answer
 *  32 CALL_REFUSED call i64, refusal
 *  33 CANCEL_CALL  call i64
 *
 *   keys     = n, keys
 *   question = 1 STAT, name | 2 LIST, name, after | 3 READ, name, fingerprint, offset i64, length i32
 *              | 4 CHECKSUM, name, algorithm u8, offset i64, length i64 (-1 to the end); the kind is a u8
 *   answer   = 1 FILE, file | 2 PAGE, next | 3 BLOCK, file | 4 CHECKSUM, hex; the kind is a u8
 *   file     = kind u8 (0 file, 1 directory), size i64, modified milliseconds i64, mode u16, name and fingerprint (u16 of
 *              length and UTF-8 each)
 * </pre>
 *
 * <p>Calls (30 to 33) belong to no hop; the field is 0. FILE and CHECKSUM travel as ANSWERED, the others as packets.
 *
 * <p>A <b>packet header</b> (on a stream, before the payload) is a kind (u8), the hop (u16) and:
 *
 * <pre>
 *   1 FRAGMENT  key, index i64, offset i32, length i32, fragment length i32, CRC32C i32, leaf 32 bytes, flags u8 (1 = resent)
 *   2 SMALL     n, then for each: key, manifest, commit, CRC32C i32, leaf 32 bytes, flags u8 (1 = resumed)
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
