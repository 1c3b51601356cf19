/**
 * The simulator: the whole chain of publishers, broker and consumers on one scheduler, with one seed and virtual time. The protocol and the
 * stores are the code that ships ({@link io.hawser.core.hop.HopSender}, {@link io.hawser.core.hop.HopReceiver},
 * {@link io.hawser.broker.relay.Relay}, {@link io.hawser.store.spool.DiskSpool}, {@link io.hawser.broker.store.local.LocalStore},
 * {@link io.hawser.store.landing.LandingArea}); what surrounds them fails as the real thing does:
 *
 * <ul>
 *   <li>{@code SimSession}, {@code SimStream}: the network;
 *   <li>{@code SimDisk}, {@code SimStorage}: the disk of a machine and the threads that wait for it. It loses and tears what was not forced,
 *       fails at any call, fills up and flips bits, and its process may end between any two calls;
 *   <li>{@code SimSpool}, {@code SimStore}, {@code SimLanding}: the stores, with all that goes in and comes out watched;
 *   <li>{@code SimUpload}: a client with one object;
 *   <li>{@code SimBroker}, {@code SimPublisher}, {@code SimConsumer}: nodes that are killed and started again.
 * </ul>
 *
 * <p>{@code SimChain} runs one schedule; {@code Plan} is what its seed draws; {@code Invariants} holds one object for each invariant of
 * docs/explanation/reliability.md and is asked after each step. {@code StoreReference} compares the broker's store after each start with what
 * {@code it.reference} finds in its log, and with the same fold of what was appended to it, {@code LogState}. The class to start with is {@code SimChain}.
 */
@NullMarked
package io.hawser.it.sim;

import org.jspecify.annotations.NullMarked;
