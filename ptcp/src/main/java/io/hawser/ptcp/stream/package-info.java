/**
 * A byte stream over packets that may overtake each other, be lost with their stream, and arrive twice. Pure, and internal to
 * the module.
 *
 * <pre>
 *   writer ──► PacketSplitter ──► streams ──► PacketReorderer ──► reader
 *                    │   ▲                        │
 *             UnackedPackets ◄── RECEIVED, LIMIT ─┘
 * </pre>
 *
 * A packet's header is its position in the byte stream (u64). What was handed to a data channel stays in
 * {@link io.hawser.ptcp.stream.UnackedPackets} until the other end acks everything up to there; if the data
 * channel is lost first, it is sent again on another one, with the same bounds. (Acked means received here: a byte stream has
 * no durability.) Memory is bounded on both sides by one window.
 *
 * <p>These messages go over the communication channel, each with its type in one byte:
 *
 * <pre>
 *   1 RECEIVED  u64 received: everything before this position has arrived, u64 limit: nothing beyond it may be sent
 *   2 END       u64 position of the stream's end
 *   3 STOP      the reader is gone: nothing that was not received will be read
 * </pre>
 *
 * Before the first RECEIVED the limit is {@link io.hawser.ptcp.stream.StreamMessage#INITIAL_LIMIT}.
 */
@NullMarked
package io.hawser.ptcp.stream;

import org.jspecify.annotations.NullMarked;
