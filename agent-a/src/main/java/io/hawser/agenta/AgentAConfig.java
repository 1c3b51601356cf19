package io.hawser.agenta;

import io.hawser.agenta.ftp.FtpServerConfig;
import io.hawser.agenta.http.HttpFrontConfig;
import io.hawser.agenta.sftp.SftpConfig;
import io.hawser.core.config.HostPort;
import io.hawser.ops.node.AdminSettings;
import io.hawser.ptcp.PtcpOptions;
import io.hawser.store.spool.SpoolConfig;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The settings of an agent-a.
 *
 * @param brokers where the broker listens
 * @param ptcp how sessions are dialled
 * @param store its spool
 * @param buffers its memory for uploads
 * @param ftp the FTP front
 * @param admin the admin pages
 * @param xferLog the file for a line of each upload and download, if there is to be one
 * @param http the HTTP front, if there is to be one
 * @param sftp the SFTP front, if there is to be one
 */
public record AgentAConfig(
        List<HostPort> brokers,
        PtcpOptions ptcp,
        Store store,
        Buffers buffers,
        FtpServerConfig ftp,
        AdminSettings admin,
        Optional<Path> xferLog,
        Optional<HttpFrontConfig> http,
        Optional<SftpConfig> sftp) {
    /** Without an xferlog, HTTP and SFTP. */
    public AgentAConfig(
            List<HostPort> brokers,
            PtcpOptions ptcp,
            Store store,
            Buffers buffers,
            FtpServerConfig ftp,
            AdminSettings admin) {
        this(brokers, ptcp, store, buffers, ftp, admin, Optional.empty(), Optional.empty(), Optional.empty());
    }

    /** The same with the HTTP front. */
    public AgentAConfig withHttp(HttpFrontConfig front) {
        return new AgentAConfig(brokers, ptcp, store, buffers, ftp, admin, xferLog, Optional.of(front), sftp);
    }

    /**
     * The spool.
     *
     * @param directory agent-a's data directory
     * @param spool its limits
     */
    public record Store(Path directory, SpoolConfig spool) {}

    /**
     * Memory for uploads.
     *
     * @param fragmentSizeBytes the size of the fragments that uploads are cut into
     * @param count fragments in memory at once
     */
    public record Buffers(int fragmentSizeBytes, int count) {}

    public AgentAConfig {
        brokers = List.copyOf(brokers);
    }
}
