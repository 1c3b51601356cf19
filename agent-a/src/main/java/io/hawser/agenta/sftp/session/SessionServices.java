package io.hawser.agenta.sftp.session;

import io.hawser.agenta.front.ClientServices;
import io.hawser.agenta.front.FileServices;
import io.netty.channel.EventLoop;

/**
 * What SFTP sessions are given.
 *
 * @param memory what answers may take
 * @param loop where all of it runs
 */
public record SessionServices(
        FileServices files, ClientServices clients, SftpPolicy policy, ReplyMemory memory, EventLoop loop) {}
