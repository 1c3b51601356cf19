/** Distinguished names as grid programs write them, host names, and the mapping of names to accounts. Pure. */
@NullMarked
package io.hawser.gsi.name;

import org.jspecify.annotations.NullMarked;
