/**
 * Decides, for all three roles of a node (origin, relay, end), whether something may be accepted and, if not, why: {@link
 * io.hawser.store.space.SpaceBudget} counts bytes, {@link io.hawser.store.space.SpacePolicy} orders transfers when space is short, {@link
 * io.hawser.store.space.SpaceRole} has the sentences for users. Pure: no I/O, no threads; clocks are given.
 */
@NullMarked
package io.hawser.store.space;

import org.jspecify.annotations.NullMarked;
