/**
 * The memory that bulk data lives in: a fixed pool of aligned fragment buffers, counted by references. A payload is read
 * from the socket straight into one of them, and that one buffer serves the checksum, the disk (O_DIRECT) and the
 * forwarding.
 */
@NullMarked
package io.hawser.core.buffer;

import org.jspecify.annotations.NullMarked;
