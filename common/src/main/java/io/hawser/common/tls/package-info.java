/**
 * Keys and certificates of the nodes. {@link io.hawser.common.tls.KeyDirectory} is the layout of the directory that
 * {@code --tls DIR} names, {@link io.hawser.common.tls.KeyMaker} fills it, {@link io.hawser.common.tls.NodeTls} loads one
 * role's part of it, with errors that say what to do, into TLS contexts: TLS 1.3 only, AES-GCM only, both sides show a
 * certificate of the directory's CA.
 *
 * <p>{@link io.hawser.common.tls.Invitations} beside the CA's key, {@link io.hawser.common.tls.JoinServer} in front of them and
 * {@link io.hawser.common.tls.Joining} at the new node are how a node gets its certificate without its key leaving it.
 */
@NullMarked
package io.hawser.common.tls;

import org.jspecify.annotations.NullMarked;
