/**
 * The Java API: reliable sends to a topic, receiving by subscription, request and reply. Start with
 * {@link io.hawser.client.HawserClient}.
 */
@NullMarked
package io.hawser.client;

import org.jspecify.annotations.NullMarked;
