package io.hawser.release.drill;

import io.hawser.core.config.HostPort;
import io.hawser.release.process.Chain.Part;
import io.hawser.release.process.FtpAccount;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * What the operator has said of a running deployment.
 *
 * @param into the directory that agent-b delivers into, if it is on this machine
 * @param keys the directory with keys for admin pages, if they need some
 * @param pids by which process each node is known
 * @param kills commands that kill a node
 * @param restarts commands that start a node
 */
record Pointed(
        Optional<FtpAccount> ftp,
        Optional<ApiAccess> api,
        Optional<Path> into,
        Optional<Path> keys,
        Map<Part, HostPort> admins,
        Map<Part, PidSource> pids,
        Map<Part, String> kills,
        Map<Part, String> restarts) {}
