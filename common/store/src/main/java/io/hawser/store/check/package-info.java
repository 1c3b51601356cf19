/**
 * What {@code hawser fsck} is made of: a {@link io.hawser.store.check.DirectoryCheck} for each kind of data directory, found by
 * ServiceLoader, and the {@link io.hawser.store.check.Findings} that they make. Each check lives next to the store that it checks
 * and reads with that store's own decoders and folds; nothing is written but what a check was asked to repair.
 */
@NullMarked
package io.hawser.store.check;

import org.jspecify.annotations.NullMarked;
