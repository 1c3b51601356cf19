/** The example of the README, compiled, and compared with it. */
@NullMarked
package io.hawser.it.example;

import org.jspecify.annotations.NullMarked;
