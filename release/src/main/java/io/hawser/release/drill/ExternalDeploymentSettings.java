package io.hawser.release.drill;

import io.hawser.core.config.HostPort;
import io.hawser.release.process.FtpAccount;
import io.hawser.release.process.ProcessChain.Part;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * The operator's description of a running deployment: addresses, pids, and the commands that kill and start its nodes.
 *
 * @param into the directory that agent-b delivers into, if it is on this machine
 * @param keys the directory with keys for admin pages, if they need some
 * @param pids by which process each node is known
 * @param kills commands that kill a node
 * @param restarts commands that start a node
 */
record ExternalDeploymentSettings(
        Optional<FtpAccount> ftp,
        Optional<ApiAccess> api,
        Optional<Path> into,
        Optional<Path> keys,
        Map<Part, HostPort> admins,
        Map<Part, PidSource> pids,
        Map<Part, String> kills,
        Map<Part, String> restarts) {}
