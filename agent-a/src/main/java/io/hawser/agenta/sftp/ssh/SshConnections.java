package io.hawser.agenta.sftp.ssh;

import io.hawser.agenta.account.Account;
import io.hawser.ptcp.PeerNetwork;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.sshd.common.session.Session;
import org.apache.sshd.common.session.SessionListener;
import org.apache.sshd.core.CoreModuleProperties;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The SSH connections: how many there may be, by address and account.
 *
 * <p>Thread: any.
 */
final class SshConnections implements SessionListener {
    private static final Logger LOG = LoggerFactory.getLogger(SshConnections.class);

    /** What clients may send ahead while this node takes nothing, of all connections. */
    private static final long WINDOWS_BYTES = 16 << 20;
    /** As OpenSSH's: over a long link a client sends no more in a round trip. */
    private static final long MAX_WINDOW_BYTES = 2 << 20;

    private static final long MIN_WINDOW_BYTES = 64 << 10;

    private final SshLimits limits;
    private final Map<Session, Connection> open = new HashMap<>();

    /** A connection, and the account that it is logged in to. */
    private record Connection(InetAddress peer, @Nullable Account account) {
        boolean isOf(String name) {
            return account != null && account.name().equals(name);
        }
    }

    SshConnections(SshLimits limits) {
        this.limits = limits;
    }

    @Override
    public void sessionEstablished(Session session) {
        Optional<String> refusal = begin(session);
        if (refusal.isPresent()) {
            LOG.atWarn()
                    .addKeyValue("peer", session.getRemoteAddress())
                    .addKeyValue("reason", refusal.get())
                    .log("SSH connection refused");
            session.close(true);
        }
    }

    private synchronized Optional<String> begin(Session session) {
        if (!(session.getRemoteAddress() instanceof InetSocketAddress address)) {
            return Optional.of("no address");
        }
        InetAddress peer = address.getAddress();
        InetAddress network = PeerNetwork.of(peer);
        if (open.size() >= limits.connections()) {
            return Optional.of("too many connections");
        }
        if (count(each -> each.peer.equals(peer)) >= limits.ofPeer()) {
            return Optional.of("too many connections of this address");
        }
        if (count(each -> each.account == null && PeerNetwork.of(each.peer).equals(network)) >= limits.notLoggedIn()) {
            return Optional.of("too many connections of this address have not logged in");
        }
        open.put(session, new Connection(peer, null));
        return Optional.empty();
    }

    private long count(Predicate<Connection> which) {
        return open.values().stream().filter(which).count();
    }

    /** {@code session} is logged in to {@code account} from now on; false if too many are, or it is gone. */
    synchronized boolean logIn(Session session, Account account) {
        Connection connection = open.get(session);
        if (connection == null || count(each -> each.isOf(account.name())) >= limits.ofAccount()) {
            return false;
        }
        open.put(session, new Connection(connection.peer, account));
        long share = WINDOWS_BYTES / open.size();
        CoreModuleProperties.WINDOW_SIZE.set(session, Math.max(MIN_WINDOW_BYTES, Math.min(MAX_WINDOW_BYTES, share)));
        return true;
    }

    /** The account that {@code session} is logged in to. */
    synchronized Account account(Session session) {
        Connection connection = open.get(session);
        return Objects.requireNonNull(connection == null ? null : connection.account, "not logged in");
    }

    @Override
    public synchronized void sessionClosed(Session session) {
        open.remove(session);
    }
}
