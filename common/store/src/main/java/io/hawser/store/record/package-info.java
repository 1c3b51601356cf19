/** What journals and logs have in common beyond the form of fields, which is {@link io.hawser.core.codec}'s. */
@NullMarked
package io.hawser.store.record;

import org.jspecify.annotations.NullMarked;
