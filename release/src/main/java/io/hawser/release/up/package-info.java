/** {@code hawser up}: broker, agent-a and agent-b in one process, for a first try. */
@NullMarked
package io.hawser.release.up;

import org.jspecify.annotations.NullMarked;
