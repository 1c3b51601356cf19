package io.hawser.agenta.http;

import io.hawser.agenta.front.ClientServices;
import io.hawser.agenta.front.FileServices;
import io.netty.channel.EventLoop;

/**
 * What the requests of the HTTP front share.
 *
 * @param config what an operator has set
 * @param files the namespace, uploads and downloads
 * @param clients the logins, and the notes of what clients do
 * @param loop where everything runs
 * @param verified the logins that were checked a moment ago
 * @param running counts the requests of each account
 * @param exclusive the names that uploads will have which must be new
 */
record HttpServices(
        HttpFrontConfig config,
        FileServices files,
        ClientServices clients,
        EventLoop loop,
        VerifiedLogins verified,
        RunningRequests running,
        ExclusiveUploads exclusive) {}
