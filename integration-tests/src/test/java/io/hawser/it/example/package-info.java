/** What the README shows, compiled and done; and what the documents name. */
@NullMarked
package io.hawser.it.example;

import org.jspecify.annotations.NullMarked;
