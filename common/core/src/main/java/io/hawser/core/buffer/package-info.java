/**
 * The memory for bulk data: a fixed pool of aligned fragment buffers, counted by references. A payload is read from the socket straight into
 * one of them, and the same buffer serves the checksum, the disk (O_DIRECT) and forwarding.
 */
@NullMarked
package io.hawser.core.buffer;

import org.jspecify.annotations.NullMarked;
