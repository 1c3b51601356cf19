package io.hawser.agentb.blocks;

import io.hawser.core.ftp.BlockHeader;
import io.hawser.core.ftp.PortRange;
import io.hawser.core.thread.DaemonThreads;
import io.hawser.ptcp.RefusedDialLogThrottle;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens for the data connections that a server dials to send files in MODE E. Connections stay open for the next file. Only the host of the control
 * connection may connect.
 *
 * <p>Thread: any; each connection has a reading thread of its own.
 */
public final class BlockConnectionListener implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BlockConnectionListener.class);
    private static final int MAX_CONNECTIONS = 128;

    private final InetAddress peer;
    private final ConnectionSecurity security;
    private final ServerSocket listener;
    private final RefusedDialLogThrottle refusals = new RefusedDialLogThrottle();
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private volatile @Nullable BlockTransfer current;
    private volatile boolean closed;

    /** Authenticates or encrypts an accepted connection; may block, and throws if the connection must not be used. */
    public interface ConnectionSecurity {
        Socket secure(Socket plain) throws IOException;
    }

    /**
     * Listens on a free port.
     *
     * @param local this end of the control connection
     * @param peer its other end
     * @param ports the ports to choose from
     * @param security applied to each connection before anything is read from it
     * @throws NoPortException if none is free
     */
    public BlockConnectionListener(InetAddress local, InetAddress peer, PortRange ports, ConnectionSecurity security)
            throws IOException {
        this.peer = peer;
        this.security = security;
        this.listener = listen(local, ports);
        Thread unused = DaemonThreads.start("hawser-far-accept", this::accept);
    }

    private static ServerSocket listen(InetAddress local, PortRange ports) throws IOException {
        IOException last = new BindException("the range is empty");
        for (PortRange.Attempts attempts = ports.attempts(); attempts.hasNext(); ) {
            try {
                return new ServerSocket(attempts.next(), MAX_CONNECTIONS, local);
            } catch (BindException e) {
                last = e;
            }
        }
        throw new NoPortException(ports, last);
    }

    /**
     * The address for the server to dial.
     *
     * @param outside the address of this end as the server sees it; empty for the local one
     */
    public InetSocketAddress address(Optional<InetAddress> outside) {
        return new InetSocketAddress(outside.orElse(listener.getInetAddress()), listener.getLocalPort());
    }

    /** From now on blocks belong to {@code transfer}; the previous transfer has ended. */
    public void begin(BlockTransfer transfer) {
        current = transfer;
        if (!sockets.isEmpty()) {
            transfer.dialled();
        }
        if (closed) {
            transfer.fail(new IOException("the connections were closed"));
        }
    }

    public int count() {
        return sockets.size();
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = listener.accept();
                if (socket.getInetAddress().equals(peer) && sockets.size() < MAX_CONNECTIONS) {
                    add(socket);
                } else {
                    logRefused(socket);
                    socket.close();
                }
            }
        } catch (IOException e) {
            LOG.atDebug().setCause(e).log("the listener for data connections has ended");
        }
    }

    /** Anybody can dial the port. */
    private void logRefused(Socket socket) {
        String why = "refused a data connection: it is not from the far server, or there are too many";
        int suppressed = refusals.refused(socket.getRemoteSocketAddress(), why, System.nanoTime());
        if (suppressed >= 0) {
            LOG.atWarn()
                    .addKeyValue("from", socket.getInetAddress())
                    .addKeyValue("suppressed", suppressed)
                    .log(why);
        }
    }

    private void add(Socket socket) {
        sockets.add(socket);
        if (closed) {
            close(socket);
        }
        BlockTransfer transfer = current;
        if (transfer != null) {
            transfer.dialled();
        }
        Thread unused = DaemonThreads.start("hawser-far-blocks", () -> receive(socket));
    }

    /** Reads one connection to its end, file after file. */
    private void receive(Socket socket) {
        BlockTransfer ended = null;
        try (socket) {
            InputStream in = security.secure(socket).getInputStream();
            for (BlockHeader header = BlockHeaderReader.next(in); header != null; header = BlockHeaderReader.next(in)) {
                BlockTransfer transfer = current;
                if (transfer == null || transfer == ended) {
                    return; // unsolicited
                }
                transfer.readBlock(header, in);
                transfer.countEnds(header);
                ended = header.isEod() ? transfer : ended;
            }
            connectionEnded(ended, new EOFException("a data connection ended in the middle of a file"));
        } catch (IOException e) {
            connectionEnded(null, e);
        } finally {
            sockets.remove(socket);
        }
    }

    private void connectionEnded(@Nullable BlockTransfer ended, IOException cause) {
        BlockTransfer transfer = current;
        if (transfer != null && transfer != ended && !transfer.isOver()) {
            transfer.fail(cause);
        }
    }

    /** Closes a data connection; a failure is only logged. */
    public static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            LOG.atDebug().setCause(e).log("closing a data connection failed");
        }
    }

    /** Closes all connections; the reader of the current transfer gets an exception. */
    @Override
    public void close() {
        closed = true;
        try {
            listener.close();
        } catch (IOException e) {
            LOG.atDebug().setCause(e).log("closing the listener for data connections failed");
        }
        sockets.forEach(BlockConnectionListener::close);
        BlockTransfer transfer = current;
        if (transfer != null) {
            transfer.fail(new IOException("the connections were closed"));
        }
    }
}
