/**
 * TLS between nodes. {@link io.hawser.core.tls.KeyDirectory} is the layout of the directory of {@code --tls DIR}; {@link
 * io.hawser.core.tls.NodeTls} loads one role's part of it into TLS contexts: TLS 1.3 and AES-GCM only, both sides with a certificate of the
 * directory's CA. The commands that make keys and certificates are in {@code hawser-ops}.
 */
@NullMarked
package io.hawser.core.tls;

import org.jspecify.annotations.NullMarked;
