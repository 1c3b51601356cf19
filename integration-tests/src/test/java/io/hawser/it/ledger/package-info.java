/** What publishers sent, what Hawser acknowledged, which checks failed and what that proves: shared by chaos and power cuts. */
@NullMarked
package io.hawser.it.ledger;

import org.jspecify.annotations.NullMarked;
