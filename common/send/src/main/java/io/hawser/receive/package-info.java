/** The commands for the way back: {@code hawser ls}, {@code get} and {@code receive}. */
@NullMarked
package io.hawser.receive;

import org.jspecify.annotations.NullMarked;
