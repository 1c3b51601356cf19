/** Distinguished names as grid programs write them, host names, and who is mapped to which account. Pure. */
@NullMarked
package io.hawser.gsi.name;

import org.jspecify.annotations.NullMarked;
