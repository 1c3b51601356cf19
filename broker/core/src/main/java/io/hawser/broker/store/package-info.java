/**
 * The broker's durable store as the rest of the broker sees it: {@link io.hawser.broker.store.BrokerStore}, which is the
 * relay's store with a lifecycle and with the questions that the admin pages ask. {@code local} keeps it in a log on this
 * machine.
 */
@NullMarked
package io.hawser.broker.store;

import org.jspecify.annotations.NullMarked;
