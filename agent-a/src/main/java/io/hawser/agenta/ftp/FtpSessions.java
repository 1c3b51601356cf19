package io.hawser.agenta.ftp;

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
 * The sessions of an FTP server: how many there may be, of whom, and how they end together.
 *
 * <p>Thread: the loop; {@link #awaitEnd} any but the loop.
 */
final class FtpSessions {
    private final FtpLimits limits;
    private final Set<ControlChannel> open = new HashSet<>();
    private final CompletableFuture<Void> lastEnded = new CompletableFuture<>();
    private boolean stopping;

    FtpSessions(FtpLimits limits) {
        this.limits = limits;
    }

    /**
     * Why a connection of {@code peer} is not served; empty if it is. One peer may take neither all places nor, with some that
     * never log in, many of them (RFC 2577 section 5).
     */
    Optional<String> refusal(@Nullable InetSocketAddress peer) {
        if (stopping) {
            return Optional.of("This server is stopping; try again later.");
        }
        if (open.size() >= limits.maxSessions()) {
            return Optional.of("Too many connections; try again later.");
        }
        InetAddress address = peer == null ? null : peer.getAddress();
        Predicate<ControlChannel> ofPeer =
                control -> control.peer().getAddress().equals(address);
        if (count(ofPeer) >= limits.maxSessionsOfPeer()) {
            return Optional.of("Too many connections of your address; try again later.");
        }
        InetAddress network = address == null ? null : PeerNetwork.of(address);
        Predicate<ControlChannel> knocking = control -> !control.session().isLoggedIn()
                && PeerNetwork.of(control.peer().getAddress()).equals(network);
        return count(knocking) >= limits.maxKnocking()
                ? Optional.of("Too many connections of your address have not logged in; try again later.")
                : Optional.empty();
    }

    /** Whether no further session of that account may begin. */
    boolean isCrowded(String account) {
        return count(control -> control.session().isLoggedIn()
                        && control.session().account().equals(account))
                >= limits.maxSessionsOfAccount();
    }

    private long count(Predicate<ControlChannel> which) {
        return open.stream().filter(which).count();
    }

    /** How many there are. */
    int size() {
        return open.size();
    }

    void began(ControlChannel control) {
        open.add(control);
    }

    void ended(ControlChannel control) {
        open.remove(control);
        if (stopping && open.isEmpty()) {
            lastEnded.complete(null);
        }
    }

    /** Begins no more; each that there is ends its transfer if it can, and its client is told. */
    void stop() {
        stopping = true;
        List.copyOf(open).forEach(control -> control.session().dialogue().stop());
        if (open.isEmpty()) {
            lastEnded.complete(null);
        }
    }

    /** Waits for the end of the last one. False if that takes longer. */
    boolean awaitEnd(Duration time) {
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
    void close() {
        List.copyOf(open).forEach(ControlChannel::close);
    }
}
