/** The {@code hawser send} command: what it sends, how it shows it, and when it is content. */
@NullMarked
package io.hawser.send;

import org.jspecify.annotations.NullMarked;
