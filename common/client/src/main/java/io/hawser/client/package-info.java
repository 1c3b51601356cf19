/**
 * The Java API: reliable sends to a topic, durable subscriptions, request and reply. Start with {@link io.hawser.client.HawserClient}.
 *
 * <p>Each method says whether it blocks and which errors it throws. A method that says neither does not block and throws nothing. Callbacks
 * run on one of two kinds of threads: futures and progress listeners on {@code hawser-callbacks}, handlers of received objects on {@code
 * hawser-receive-SUBSCRIPTION}. Both are daemons.
 *
 * <p>The API logs through SLF4J and brings no logging library. Signatures use only types of the JDK and of this package.
 */
@NullMarked
package io.hawser.client;

import org.jspecify.annotations.NullMarked;
