/** Who did what, from where, and what came of it: {@link io.hawser.common.audit.Audit}, one JSON line each. */
@NullMarked
package io.hawser.common.audit;

import org.jspecify.annotations.NullMarked;
