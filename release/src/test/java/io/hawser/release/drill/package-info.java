/** Tests of {@code hawser drill}. */
@NullMarked
package io.hawser.release.drill;

import org.jspecify.annotations.NullMarked;
