/** The base of the three nodes: how they start, report and stop. */
@NullMarked
package io.hawser.ops.node;

import org.jspecify.annotations.NullMarked;
