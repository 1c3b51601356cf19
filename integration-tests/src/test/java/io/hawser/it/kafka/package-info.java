/** The broker's store, and whole chains of nodes, over a real Kafka in processes of its own. */
@NullMarked
package io.hawser.it.kafka;

import org.jspecify.annotations.NullMarked;
