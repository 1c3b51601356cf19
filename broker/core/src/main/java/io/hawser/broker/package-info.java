/**
 * The broker as a node: {@link io.hawser.broker.Broker} joins the relay (all decisions, in {@link io.hawser.broker.relay}), the store
 * ({@code broker.store}), the PTCP sessions ({@code broker.session}) and the admin pages.
 */
@NullMarked
package io.hawser.broker;

import org.jspecify.annotations.NullMarked;
