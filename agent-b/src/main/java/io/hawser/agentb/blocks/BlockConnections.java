package io.hawser.agentb.blocks;

import io.hawser.core.ftp.BlockHeader;
import io.hawser.core.ftp.PortRange;
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
 * Where a server dials to send files in MODE E: any number of connections, which are kept and carry the next file too. Nobody but the
 * host of the control connection is let in.
 *
 * <p>Thread: any; each connection is read by a thread of its own.
 */
public final class BlockConnections implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(BlockConnections.class);
    private static final int MOST = 128;

    private final InetAddress peer;
    private final Securing securing;
    private final ServerSocket door;
    private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();
    private volatile @Nullable BlockTransfer current;
    private volatile boolean closed;

    /** Makes a connection that was dialled here one that blocks may come over; may block, and throws if it must not be. */
    public interface Securing {
        /** As it comes. */
        Securing NONE = socket -> socket;

        Socket secure(Socket plain) throws IOException;
    }

    /**
     * Listens on a free port.
     *
     * @param local this end of the control connection
     * @param peer the other one
     * @param ports where it is looked for
     * @param securing what is done to each connection before anything is read from it
     * @throws NoPortException if none is free
     */
    public BlockConnections(InetAddress local, InetAddress peer, PortRange ports, Securing securing)
            throws IOException {
        this.peer = peer;
        this.securing = securing;
        this.door = listen(local, ports);
        start("hawser-far-accept", this::accept);
    }

    private static ServerSocket listen(InetAddress local, PortRange ports) throws IOException {
        IOException last = new BindException("there is none");
        for (PortRange.Attempts attempts = ports.attempts(); attempts.hasNext(); ) {
            try {
                return new ServerSocket(attempts.next(), MOST, local);
            } catch (BindException e) {
                last = e;
            }
        }
        throw new NoPortException(ports, last);
    }

    private static void start(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
    }

    /** Where the server is to dial.
     *
     * @param outside how this end is reached from outside, if that is another address
     */
    public InetSocketAddress address(Optional<InetAddress> outside) {
        return new InetSocketAddress(outside.orElse(door.getInetAddress()), door.getLocalPort());
    }

    /** What comes from now on belongs to {@code transfer}; the one before is over. */
    public void begin(BlockTransfer transfer) {
        current = transfer;
        if (!sockets.isEmpty()) {
            transfer.dialled();
        }
        if (closed) {
            transfer.fail(new IOException("the connections were closed"));
        }
    }

    /** How many there are now. */
    public int count() {
        return sockets.size();
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = door.accept();
                if (socket.getInetAddress().equals(peer) && sockets.size() < MOST) {
                    letIn(socket);
                } else {
                    LOG.atWarn()
                            .addKeyValue("from", socket.getInetAddress())
                            .log("a data connection that is not the far server's was refused");
                    socket.close();
                }
            }
        } catch (IOException e) {
            LOG.atDebug().setCause(e).log("no more data connections are taken");
        }
    }

    private void letIn(Socket socket) {
        sockets.add(socket);
        if (closed) {
            close(socket);
        }
        BlockTransfer transfer = current;
        if (transfer != null) {
            transfer.dialled();
        }
        start("hawser-far-blocks", () -> receive(socket));
    }

    /** Reads one connection to its end, file after file. */
    private void receive(Socket socket) {
        BlockTransfer ended = null;
        try (socket) {
            InputStream in = securing.secure(socket).getInputStream();
            for (BlockHeader header = BlockInput.next(in); header != null; header = BlockInput.next(in)) {
                BlockTransfer transfer = current;
                if (transfer == null || transfer == ended) {
                    return; // nobody has asked for anything
                }
                transfer.block(header, in);
                transfer.ends(header);
                ended = header.isEod() ? transfer : ended;
            }
            gone(ended, new EOFException("a data connection ended in the middle"));
        } catch (IOException e) {
            gone(null, e);
        } finally {
            sockets.remove(socket);
        }
    }

    private void gone(@Nullable BlockTransfer ended, IOException cause) {
        BlockTransfer transfer = current;
        if (transfer != null && transfer != ended && !transfer.isOver()) {
            transfer.fail(cause);
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            LOG.atDebug().setCause(e).log("closing a data connection failed");
        }
    }

    /** Closes all; a reader gets an exception. */
    @Override
    public void close() {
        closed = true;
        try {
            door.close();
        } catch (IOException e) {
            LOG.atDebug().setCause(e).log("closing the door for data connections failed");
        }
        sockets.forEach(BlockConnections::close);
        BlockTransfer transfer = current;
        if (transfer != null) {
            transfer.fail(new IOException("the connections were closed"));
        }
    }
}
