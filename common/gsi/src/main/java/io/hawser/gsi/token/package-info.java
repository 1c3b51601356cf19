/** The exchange of tokens that authenticates both ends, and the TLS behind it. */
@NullMarked
package io.hawser.gsi.token;

import org.jspecify.annotations.NullMarked;
