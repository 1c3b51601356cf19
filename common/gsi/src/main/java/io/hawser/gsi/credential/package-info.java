/** A key with its certificate chain, and the two halves of delegation. Pure. */
@NullMarked
package io.hawser.gsi.credential;

import org.jspecify.annotations.NullMarked;
