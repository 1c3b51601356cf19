/** Tests of {@code hawser drill}. */
@NullMarked
package io.hawser.it.drill;

import org.jspecify.annotations.NullMarked;
