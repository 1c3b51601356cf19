/** Audit: who did what, from where, and with what result. */
@NullMarked
package io.hawser.ops.audit;

import org.jspecify.annotations.NullMarked;
