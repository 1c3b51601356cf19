/**
 * The bytes of PTCP, protocol version 1. All numbers are big-endian and unsigned.
 *
 * <p>Handshakes and the communication channel use <em>control frames</em>, a header of 20 bytes and a payload of at most
 * 1 MiB (4 KiB until the peer is known):
 *
 * <pre>
 *  position length
 *         0      4  magic "HWSR"
 *         4      1  layout version, 1
 *         5      1  type
 *         6      2  zero
 *         8      4  length of the payload
 *        12      4  CRC32C of the payload
 *        16      4  CRC32C of bytes 0 to 15
 *        20         payload
 *
 *  type          payload
 *   1 HELLO      u8 lowest version, u8 highest version, u8 streams, u8 zero, u32 heartbeat interval ms,
 *                u32 heartbeat timeout ms, u64 features, u16 length + greeting (at most 1024)
 *   2 WELCOME    u8 version, u8 streams, u16 zero, u32 heartbeat interval ms, u32 heartbeat timeout ms, u64 features,
 *                u64 session id, 32 bytes join secret, u16 length + greeting (at most 1024)
 *   3 REFUSED    u16 error code, u16 length + sentence in UTF-8 (at most 1024)
 *   4 JOIN       u64 session id, u32 stream number, 16 random bytes, 32 bytes proof
 *   5 JOINED     u32 stream number, 32 bytes proof
 *   6 READY      nothing
 *   7 MESSAGE    a control message of the user
 *   8 PING       u64 token, u8 count + that many u32 stream numbers that the sender of this frame does not read now
 *   9 PONG       u64 token of the PING
 *  10 LOST       u32 stream number
 *  11 CLOSE      as REFUSED
 *  12 CLOSED     nothing
 *  13 STREAMS    u8 how many data channels the sender of this frame wants, 1 to 64 (feature bit 0)
 * </pre>
 *
 * The layout of the header, of HELLO and of REFUSED never changes, so that two versions can tell each other apart.
 *
 * <p>A data channel that has joined carries <em>packets</em>. A packet begins with a preamble of fixed length, so that the
 * ordinary packet is two reads, each straight into its place: preamble, payload.
 *
 * <pre>
 *  position length
 *         0      4  magic "HPKT"
 *         4      1  layout version, 1
 *         5      1  kind: 1 packet, 2 end of this direction (both lengths 0, nothing follows)
 *         6      2  zero
 *         8      4  length H of the packet's header, 1 to 65536
 *        12      4  length P of the payload, 0 to 64 MiB
 *        16    108  the header's first min(H, 108) bytes, then zeros
 *       124      4  CRC32C of bytes 0 to 123
 *       128  H-108  the rest of the header, if H &gt; 108
 *              4  CRC32C of that rest, if H &gt; 108
 *              P  payload
 * </pre>
 *
 * The payload has no check of its own here: the user's header has one where it matters, and TLS where it is on.
 */
@NullMarked
package io.hawser.ptcp.wire;

import org.jspecify.annotations.NullMarked;
