/**
 * What a final reply promises: how far a transfer must have come before its client is told that it is done.
 */
@NullMarked
package io.hawser.agenta.custody;

import org.jspecify.annotations.NullMarked;
