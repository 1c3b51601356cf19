/** Power cuts on real file systems, and disk calls that fail or kill, on real processes; and the oracle that both share. */
@NullMarked
package io.hawser.it.power;

import org.jspecify.annotations.NullMarked;
