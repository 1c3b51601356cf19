/** Time by which stored things expire. */
@NullMarked
package io.hawser.core.time;

import org.jspecify.annotations.NullMarked;
