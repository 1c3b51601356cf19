/**
 * The simulator: the whole chain of publishers, relay and consumers on one scheduler, with one seed and virtual time. The
 * protocol is the production code ({@link io.hawser.core.hop.HopSender}, {@link io.hawser.core.hop.HopReceiver},
 * {@link io.hawser.broker.relay.Relay}); what surrounds it are models that fail as the real thing does:
 *
 * <ul>
 *   <li>{@code SimSession}, {@code SimStream}: the network;
 *   <li>{@code SimJournal}: an append-only file with group commit, whose un-forced part a crash may take away;
 *   <li>{@code SimLog}: the broker's store over such a file; {@code SimOrigin}: a spool; {@code SimLanding}: a landing area;
 *   <li>{@code SimBroker}, {@code SimPublisher}, {@code SimConsumer}: nodes that are killed and started again.
 * </ul>
 *
 * <p>{@code SimChain} runs one schedule; {@code Plan} is what its seed draws; {@code Invariants} holds one object for each
 * invariant of docs/explanation/reliability.md and is asked after each step. The class to start with is {@code SimChain}.
 */
@NullMarked
package io.hawser.it.sim;

import org.jspecify.annotations.NullMarked;
