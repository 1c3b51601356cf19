package io.hawser.agenta;

import io.hawser.agenta.ftp.FtpServerConfig;
import io.hawser.core.config.HostPort;
import io.hawser.core.tls.NodeTls;
import io.hawser.ops.observe.Oversight;
import io.hawser.ptcp.PtcpOptions;
import io.hawser.store.spool.SpoolConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What an agent-a is told.
 *
 * @param brokers where the broker listens
 * @param spoolDirectory its data directory
 * @param spool limits of the spool
 * @param ftp the FTP front end
 * @param ptcp how sessions are dialled
 * @param fragmentSizeBytes the size of fragments that it makes
 * @param buffers fragments in memory at once for what comes in
 * @param admin where the admin pages are, or empty for none
 * @param oversight token of the admin pages, and audit log
 * @param adminTls keys of the admin pages, and of the sessions if {@code ptcp} has any; null for plain HTTP
 */
public record AgentAConfig(
        List<HostPort> brokers,
        Path spoolDirectory,
        SpoolConfig spool,
        FtpServerConfig ftp,
        PtcpOptions ptcp,
        int fragmentSizeBytes,
        int buffers,
        Optional<HostPort> admin,
        @Nullable NodeTls adminTls,
        Oversight oversight) {
    public AgentAConfig {
        brokers = List.copyOf(brokers);
    }

    /** Without a token and an audit log. */
    public AgentAConfig(
            List<HostPort> brokers,
            Path spoolDirectory,
            SpoolConfig spool,
            FtpServerConfig ftp,
            PtcpOptions ptcp,
            int fragmentSizeBytes,
            int buffers,
            Optional<HostPort> admin,
            @Nullable NodeTls adminTls) {
        this(brokers, spoolDirectory, spool, ftp, ptcp, fragmentSizeBytes, buffers, admin, adminTls, Oversight.NONE);
    }
}
