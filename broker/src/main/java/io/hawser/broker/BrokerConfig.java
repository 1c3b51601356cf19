package io.hawser.broker;

import io.hawser.broker.store.local.LocalStoreConfig;
import io.hawser.common.config.HostPort;
import io.hawser.common.relay.RelayLimits;
import io.hawser.common.tls.NodeTls;
import io.hawser.ptcp.PtcpOptions;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a broker is told.
 *
 * @param listen where agents connect
 * @param data its data directory: log, index, identity
 * @param store how the store is kept
 * @param relay bounds of the relay
 * @param ptcp how sessions are taken
 * @param fragmentSizeBytes the largest fragment that it takes
 * @param buffers fragments in memory at once for what comes in
 * @param readBuffers fragments in memory at once for what is read back from the log
 * @param admin where the admin pages are, or empty for none
 * @param adminTls keys of the admin pages, or null for plain HTTP
 */
public record BrokerConfig(
        HostPort listen,
        Path data,
        LocalStoreConfig store,
        RelayLimits relay,
        PtcpOptions ptcp,
        int fragmentSizeBytes,
        int buffers,
        int readBuffers,
        Optional<HostPort> admin,
        @Nullable NodeTls adminTls) {}
