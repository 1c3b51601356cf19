/** Threads of a node that are no event loops. */
@NullMarked
package io.hawser.core.thread;

import org.jspecify.annotations.NullMarked;
