package io.hawser.broker;

import io.hawser.broker.relay.RelayLimits;
import io.hawser.core.access.ReloadingAccessFile;
import io.hawser.core.config.HostPort;
import io.hawser.core.tls.NodeTls;
import io.hawser.ops.observe.SupervisionSettings;
import io.hawser.ptcp.PtcpOptions;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The configuration of a broker.
 *
 * @param listen where agents connect
 * @param data its data directory: log, index, identity
 * @param store how its store is opened
 * @param relay bounds of the relay
 * @param ptcp how sessions are taken
 * @param fragmentSizeBytes the largest fragment that it takes
 * @param buffers fragments in memory at once for what comes in
 * @param loanBuffers how many more are kept in memory for subscriptions that lag slightly
 * @param readBuffers fragments in memory at once for what is read back from the log
 * @param admin where the admin pages are, or empty for none
 * @param adminTls its keys, or null for plain HTTP
 * @param supervision token of the admin pages, and audit log
 * @param acl the file of rights; null for those in the certificates alone
 */
public record BrokerConfig(
        HostPort listen,
        Path data,
        StoreOpener store,
        RelayLimits relay,
        PtcpOptions ptcp,
        int fragmentSizeBytes,
        int buffers,
        int loanBuffers,
        int readBuffers,
        Optional<HostPort> admin,
        @Nullable NodeTls adminTls,
        @Nullable ReloadingAccessFile acl,
        SupervisionSettings supervision) {}
