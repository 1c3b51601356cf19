/** The exchange of tokens that authenticates both ends, and its TLS. */
@NullMarked
package io.hawser.gsi.token;

import org.jspecify.annotations.NullMarked;
