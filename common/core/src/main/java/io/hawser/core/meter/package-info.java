/** Counters that the code paths increase and that metrics show. A caller gives the time. */
@NullMarked
package io.hawser.core.meter;

import org.jspecify.annotations.NullMarked;
