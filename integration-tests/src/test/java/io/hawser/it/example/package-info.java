/** The example of the README, compiled and run. */
@NullMarked
package io.hawser.it.example;

import org.jspecify.annotations.NullMarked;
