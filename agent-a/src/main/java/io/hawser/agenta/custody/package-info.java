/** What a final reply promises: how far a transfer must have come before its client gets its final reply. */
@NullMarked
package io.hawser.agenta.custody;

import org.jspecify.annotations.NullMarked;
