/**
 * The certificate authority of a deployment and what uses it. {@link io.hawser.ops.keys.KeyMaker} fills a key directory.
 * {@link io.hawser.ops.keys.Invitations} beside the CA's key, {@link io.hawser.ops.keys.JoinServer} that accepts join
 * requests, and {@link io.hawser.ops.keys.JoinClient} at the new node give a node its certificate; its key never leaves it.
 */
@NullMarked
package io.hawser.ops.keys;

import org.jspecify.annotations.NullMarked;
