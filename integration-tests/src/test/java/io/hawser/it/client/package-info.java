/** The Java API against nodes in this process. */
@NullMarked
package io.hawser.it.client;

import org.jspecify.annotations.NullMarked;
