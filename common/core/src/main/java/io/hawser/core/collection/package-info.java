/** Collections of bounded size. Pure: no I/O, no clock. */
@NullMarked
package io.hawser.core.collection;

import org.jspecify.annotations.NullMarked;
