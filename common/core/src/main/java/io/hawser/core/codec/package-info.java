/**
 * The one binary form of what all nodes speak of: on the wire, in journals and logs, and in Kafka. Version 2.
 *
 * <p>Numbers are big-endian; <em>n</em> is an unsigned number in groups of seven bits, the lowest first, the high bit set on all but
 * the last byte, at most 2^31 - 1.
 *
 * <pre>
 *   text       = n (bytes), UTF-8
 *   key        = publisher's node id 16, transfer id 16
 *   manifest   = number 8, topic, kind 1, name, n (paths), paths, size 8 (-1: not known yet), fragment size 4,
 *                n (attributes), names and texts ascending by name, extensions
 *   commit     = size 8, fragment size 4, root 32, extensions
 *   receipt    = subscription, status 1, reason, epoch milliseconds 8, extensions
 *   refusal    = code 2, detail
 *   ranges     = n (runs), start 8 and end 8 of each
 *   extensions = n (extensions), then for each: n (type), flags 1 (1 = must be understood), n (bytes), bytes
 * </pre>
 *
 * <p>A key goes before its manifest or receipt on the wire and in the broker's log; the journals of spool and landing area leave it to the
 * record's header. A manifest's extensions are passed on as they
 * came. Who does not understand one that must be understood refuses the transfer; any other he ignores.
 */
@NullMarked
package io.hawser.core.codec;

import org.jspecify.annotations.NullMarked;
