package io.hawser.broker.kafka;

import io.hawser.core.config.HostPort;

/**
 * The broker that has the store, as a standby broker sees it.
 *
 * @param name which run of which broker, as in {@link GroupInstanceId}
 * @param address where it listens for agents, once it serves
 */
record ActiveBroker(String name, HostPort address) {}
