package io.hawser.agenta.http;

import io.hawser.agenta.account.Accounts;
import io.hawser.agenta.custody.CustodyRules;
import io.hawser.core.tls.OneWayTls;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What an operator may set of the HTTP front.
 *
 * @param plain where it listens for {@code http://}, if anywhere; port 0 is any
 * @param encrypted where it listens for {@code https://}, if anywhere
 * @param keys the certificate for that, or null
 * @param accounts who may log in
 * @param custody when uploads get their response
 * @param limits bounds and times
 */
public record HttpFrontConfig(
        Optional<InetSocketAddress> plain,
        Optional<InetSocketAddress> encrypted,
        @Nullable OneWayTls keys,
        Accounts accounts,
        CustodyRules custody,
        Limits limits) {
    /**
     * Bounds.
     *
     * @param connections at one time
     * @param ofPeer of these, from one address and not logged in
     * @param ofAccount requests of one account at one time
     * @param headTime how long a client may take to send the head of a request
     * @param failureDelay how long the response to a wrong password takes
     * @param stall how long a body may bring nothing, or a response be read by nobody
     * @param custody how long a client waits at most for its custody level
     */
    public record Limits(
            int connections,
            int ofPeer,
            int ofAccount,
            Duration headTime,
            Duration failureDelay,
            Duration stall,
            Duration custody) {
        public static final Limits DEFAULT = new Limits(
                256,
                128,
                128,
                Duration.ofMinutes(1),
                Duration.ofSeconds(1),
                Duration.ofMinutes(5),
                Duration.ofSeconds(100));
    }

    public HttpFrontConfig {
        plain.ifPresent(address -> check(address, accounts));
        encrypted.ifPresent(address -> check(address, accounts));
        if (encrypted.isPresent() && keys == null) {
            throw new IllegalArgumentException("HTTP over TLS needs a certificate");
        }
    }

    /** For everybody on this machine, in clear. */
    public static HttpFrontConfig anonymous(InetSocketAddress listen) {
        return new HttpFrontConfig(
                Optional.of(listen),
                Optional.empty(),
                null,
                Accounts.anonymous(),
                CustodyRules.SPOOLED,
                Limits.DEFAULT);
    }

    private static void check(InetSocketAddress address, Accounts accounts) {
        if (address.isUnresolved()) {
            throw new IllegalArgumentException(
                    "cannot resolve the host of the HTTP address " + address.getHostString());
        }
        if (accounts.needLoopback() && !address.getAddress().isLoopbackAddress()) {
            throw new IllegalArgumentException("HTTP on " + address.getHostString()
                    + " can be reached from other machines, so it needs accounts: give --users FILE, or --user NAME and --password-file FILE"
                    + ", or say --anonymous read, or listen on 127.0.0.1");
        }
    }
}
