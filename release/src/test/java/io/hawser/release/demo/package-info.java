/** Tests of {@code hawser demo}. */
@NullMarked
package io.hawser.release.demo;

import org.jspecify.annotations.NullMarked;
