/** What the processes of Hawser have in common as nodes: how they begin, show themselves and end. */
@NullMarked
package io.hawser.ops.node;

import org.jspecify.annotations.NullMarked;
