/**
 * What a broker decides, without I/O: which subscriptions get a transfer, what is forwarded from memory and what from disk,
 * when a copy may be dropped, which receipts go back. {@link io.hawser.broker.relay.Relay} drives one hop receiver for each
 * publisher and one hop sender for each connected subscription over a {@link io.hawser.broker.relay.RelayStore}. The
 * simulator runs the same classes.
 */
@NullMarked
package io.hawser.broker.relay;

import org.jspecify.annotations.NullMarked;
