/**
 * What a store tells of its transfers: each event is caused by a record of the store's journal or log, and is told after that record is
 * durable, and again at a start as far as it is not known to be durable.
 */
@NullMarked
package io.hawser.store.event;

import org.jspecify.annotations.NullMarked;
