/** Who did what, from where, and what came of it: {@link io.hawser.ops.audit.Audit}, one JSON line each. */
@NullMarked
package io.hawser.ops.audit;

import org.jspecify.annotations.NullMarked;
