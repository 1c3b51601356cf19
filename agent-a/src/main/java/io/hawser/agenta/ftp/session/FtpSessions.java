package io.hawser.agenta.ftp.session;

import io.hawser.agenta.ftp.control.FtpLimits;
import io.hawser.ptcp.PeerNetwork;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The sessions of an FTP server: how many there may be, by address and account, and how they end together.
 *
 * <p>Thread: the loop; {@link #awaitEnd} any but the loop.
 */
public final class FtpSessions {
    /** A tenth of the descriptors that the systemd unit allows; 64 clients with 32 streams each. */
    static final int MAX_DATA_CONNECTIONS_OF_ACCOUNT = 2_048;

    private final FtpLimits.Sessions limits;
    private final Set<FtpSession> open = new HashSet<>();
    private final CompletableFuture<Void> lastEnded = new CompletableFuture<>();
    private boolean stopping;

    public FtpSessions(FtpLimits.Sessions limits) {
        this.limits = limits;
    }

    /**
     * Why a connection of {@code peer} is not served; empty if it is. One peer may take neither all places nor, with some that
     * never log in, many of them (RFC 2577 section 5).
     */
    public Optional<String> refusal(@Nullable InetSocketAddress peer) {
        if (stopping) {
            return Optional.of("This server is stopping; try again later.");
        }
        if (open.size() >= limits.max()) {
            return Optional.of("Too many connections; try again later.");
        }
        InetAddress address = peer == null ? null : peer.getAddress();
        Predicate<FtpSession> ofPeer =
                session -> session.control().peer().getAddress().equals(address);
        if (count(ofPeer) >= limits.ofPeer()) {
            return Optional.of("Too many connections of your address; try again later.");
        }
        InetAddress network = address == null ? null : PeerNetwork.of(address);
        Predicate<FtpSession> notLoggedIn = session -> !session.isLoggedIn()
                && PeerNetwork.of(session.control().peer().getAddress()).equals(network);
        return count(notLoggedIn) >= limits.notLoggedIn()
                ? Optional.of("Too many connections of your address have not logged in; try again later.")
                : Optional.empty();
    }

    /** Whether no further session of that account may begin. */
    public boolean isCrowded(String account) {
        return count(session -> session.isLoggedIn() && session.account().equals(account)) >= limits.ofAccount();
    }

    /**
     * Whether {@code session} may have {@code more} data connections in MODE E: all sessions of its account together have a part of the
     * descriptors of this process, and no more. None after a USER that has not logged in yet.
     */
    boolean mayTakeDataConnections(FtpSession session, int more) {
        if (!session.isLoggedIn()) {
            return false;
        }
        String account = session.account();
        int taken = open.stream()
                .filter(each -> each.isLoggedIn() && each.account().equals(account))
                .mapToInt(FtpSession::dataConnections)
                .sum();
        return taken + more <= MAX_DATA_CONNECTIONS_OF_ACCOUNT;
    }

    private long count(Predicate<FtpSession> which) {
        return open.stream().filter(which).count();
    }

    public int size() {
        return open.size();
    }

    public void began(FtpSession session) {
        open.add(session);
    }

    public void ended(FtpSession session) {
        open.remove(session);
        if (stopping && open.isEmpty()) {
            lastEnded.complete(null);
        }
    }

    /** Begins no more. Each session ends its transfer if it can, and tells its client. */
    public void stop() {
        stopping = true;
        List.copyOf(open).forEach(session -> session.control().pipeline().stop());
        if (open.isEmpty()) {
            lastEnded.complete(null);
        }
    }

    /** Waits for the end of the last one. False if that takes longer. */
    public boolean awaitEnd(Duration time) {
        try {
            lastEnded.get(time.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException("never completed so", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return true;
    }

    /** Closes what did not end by itself. */
    public void close() {
        List.copyOf(open).forEach(session -> session.control().close());
    }
}
