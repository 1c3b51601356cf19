package io.hawser.ptcp;

import io.hawser.ptcp.netty.TcpSocketAccess;
import io.netty.channel.Channel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollSocketChannel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The congestion controls that the kernel offers to this process. A name is tried on a socket: the kernel may load a module when it
 * is asked for one, and may not allow a process what it lists (net.ipv4.tcp_allowed_congestion_control).
 *
 * <p>Thread: any.
 */
public final class CongestionControls {
    private static final Path LISTED = Path.of("/proc/sys/net/ipv4/tcp_available_congestion_control");

    private CongestionControls() {}

    /**
     * Refuses a name that the kernel does not offer. Without epoll no name can be chosen, and none is refused.
     *
     * @throws IllegalArgumentException with what there is
     */
    public static void check(String name) {
        if (name.equals(PtcpTuning.BEST) || name.equals(PtcpTuning.KERNEL) || !Epoll.isAvailable() || isOffered(name)) {
            return;
        }
        throw new IllegalArgumentException("the kernel has no congestion control '" + name
                + "', or does not allow it here. There is " + String.join(", ", offered())
                + ". If it is a module of this kernel, load it: modprobe tcp_" + name);
    }

    private static boolean isOffered(String name) {
        Channel channel = new EpollSocketChannel();
        try {
            return TcpSocketAccess.congestion(channel, name);
        } finally {
            channel.unsafe().closeForcibly();
        }
    }

    private static List<String> offered() {
        List<String> names = new ArrayList<>(List.of(PtcpTuning.BEST, PtcpTuning.KERNEL));
        try {
            for (String name : Files.readString(LISTED).strip().split("\\s+")) {
                if (isOffered(name)) {
                    names.add(name);
                }
            }
        } catch (IOException e) {
            return names; // no /proc: only the choices that need no name are known
        }
        return names;
    }
}
