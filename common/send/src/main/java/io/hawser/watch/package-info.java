/** {@code hawser watch}: sends what appears in a directory. */
@NullMarked
package io.hawser.watch;

import org.jspecify.annotations.NullMarked;
