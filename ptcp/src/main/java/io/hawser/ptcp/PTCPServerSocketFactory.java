package io.hawser.ptcp;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import javax.net.ServerSocketFactory;
import org.jspecify.annotations.Nullable;

/**
 * Creates {@link PTCPServerSocket}s for a library that takes a {@link ServerSocketFactory}. No method blocks; those with a port throw an
 * {@link IOException} if they cannot bind it.
 *
 * <p>Any thread may call any method.
 */
public class PTCPServerSocketFactory extends ServerSocketFactory {
    private static final int DEFAULT_BACKLOG = 50;

    private final PtcpOptions options;

    /** Creates a factory of server sockets with {@link PtcpOptions#DEFAULT}, which is clear text. */
    public PTCPServerSocketFactory() {
        this(PtcpOptions.DEFAULT);
    }

    /** Creates a factory of server sockets with these options. */
    public PTCPServerSocketFactory(PtcpOptions options) {
        this.options = options;
    }

    @Override
    public ServerSocket createServerSocket() throws IOException {
        return new PTCPServerSocket(options);
    }

    @Override
    public ServerSocket createServerSocket(int port) throws IOException {
        return createServerSocket(port, DEFAULT_BACKLOG);
    }

    @Override
    public ServerSocket createServerSocket(int port, int backlog) throws IOException {
        return createServerSocket(port, backlog, null);
    }

    @Override
    public ServerSocket createServerSocket(int port, int backlog, @Nullable InetAddress address) throws IOException {
        return new PTCPServerSocket(options, port, backlog, address);
    }
}
