package io.hawser.ops.node;

import io.hawser.core.config.HostPort;
import io.hawser.core.tls.NodeTls;
import io.hawser.ops.observe.SupervisionSettings;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The admin pages of a node.
 *
 * @param address where they are; empty for none
 * @param tls the node's keys, or null for plain HTTP
 * @param supervision token, audit log, and when the node warns
 */
public record AdminSettings(
        Optional<HostPort> address, @Nullable NodeTls tls, SupervisionSettings supervision) {
    /** No pages, no keys, no token, no audit log. */
    public static final AdminSettings NONE = new AdminSettings(Optional.empty(), null, SupervisionSettings.NONE);
}
