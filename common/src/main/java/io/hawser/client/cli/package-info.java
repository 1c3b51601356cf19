/** The {@code hawser send} command: what it sends, how it shows it, and when it is content. */
@NullMarked
package io.hawser.client.cli;

import org.jspecify.annotations.NullMarked;
