package io.hawser.agenta.http;

import io.hawser.agenta.front.ClientServices;
import io.hawser.agenta.front.FileServices;
import io.hawser.core.config.HostPort;
import io.hawser.core.thread.DaemonThreads;
import io.hawser.core.tls.OneWayTls;
import io.hawser.ops.http.Exchange;
import io.hawser.ops.http.ExchangeServer;
import io.hawser.ops.http.HttpLimits;
import io.netty.channel.EventLoop;
import io.netty.handler.ssl.SslContext;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP server of agent-a: listens, and gives each request to a {@link ClientRequest}.
 *
 * <p>Thread: {@link #start}, the addresses and {@link #close} any but the loop; the rest the loop, which is the spool's.
 */
public final class HttpFront implements AutoCloseable {
    private static final Duration STOP_TIME = Duration.ofSeconds(4);
    /** A handshake has one task at a time; there are fewer connections. */
    private static final int MAX_WAITING_HANDSHAKES = 16_384;

    private static final int MAX_LINE_BYTES = 16 << 10;
    private static final int MAX_HEADER_BYTES = 16 << 10;
    private static final Duration IDLE = Duration.ofSeconds(60);
    /** How long a client that was refused may take to hear of it and send no more. */
    private static final Duration LINGER = Duration.ofSeconds(3);

    private final HttpFrontConfig config;
    private final EventLoop loop;
    private final HttpServices services;
    private final ThreadPoolExecutor handshakes = DaemonThreads.pool(
            DaemonThreads.named("hawser-http-tls"), 1, new ArrayBlockingQueue<>(MAX_WAITING_HANDSHAKES));
    private volatile @Nullable ExchangeServer plain;
    private volatile @Nullable ExchangeServer encrypted;

    /**
     * Makes a front; {@link #start} opens it.
     *
     * @param loop where everything runs but the checks of passwords and the computations of handshakes
     */
    public HttpFront(HttpFrontConfig config, EventLoop loop, FileServices files, ClientServices clients) {
        this.config = config;
        this.loop = loop;
        this.services = new HttpServices(
                config,
                files,
                clients,
                loop,
                new VerifiedLogins(System::nanoTime),
                new RunningRequests(config.limits().ofAccount()),
                new ExclusiveUploads());
    }

    /** Listens. {@link IOException} with a sentence for the operator if that cannot be. */
    public void start() throws IOException {
        if (config.plain().isPresent()) {
            plain = listen("http", config.plain().get(), null);
        }
        OneWayTls keys = config.keys();
        if (config.encrypted().isPresent() && keys != null) {
            encrypted = listen("https", config.encrypted().get(), keys.newContext());
        }
    }

    private ExchangeServer listen(String flag, InetSocketAddress address, @Nullable SslContext context)
            throws IOException {
        HttpFrontConfig.Limits bounds = config.limits();
        HttpLimits limits = new HttpLimits(
                bounds.connections(),
                bounds.ofPeer(),
                new HttpLimits.Sizes(MAX_LINE_BYTES, MAX_HEADER_BYTES, 0, 0),
                new HttpLimits.Times(bounds.headTime(), IDLE, bounds.stall(), LINGER));
        try {
            return ExchangeServer.start(
                    loop, address, new ExchangeServer.Tls(context, handshakes), limits, this::begin);
        } catch (BindException e) {
            throw new IOException(
                    "cannot listen for HTTP on " + HostPort.of(address) + ": " + e.getMessage()
                            + "; choose another address with --" + flag + " HOST:PORT",
                    e);
        }
    }

    private void begin(Exchange exchange) {
        new ClientRequest(services, exchange).begin();
    }

    /** Where it listens for {@code http://}. */
    public Optional<InetSocketAddress> address() {
        return Optional.ofNullable(plain).map(ExchangeServer::address);
    }

    /** Where it listens for {@code https://}. */
    public Optional<InetSocketAddress> encryptedAddress() {
        return Optional.ofNullable(encrypted).map(ExchangeServer::address);
    }

    /**
     * Stops in an orderly way, within five seconds: uploads whose bytes have all come get their response, others are broken off and stay in
     * the spool.
     */
    @Override
    public void close() {
        List<ExchangeServer> servers =
                Stream.of(plain, encrypted).filter(Objects::nonNull).toList();
        long endNanos = System.nanoTime() + STOP_TIME.toNanos();
        servers.forEach(ExchangeServer::stop);
        servers.forEach(server -> server.awaitEnd(Duration.ofNanos(endNanos - System.nanoTime())));
        handshakes.shutdownNow();
    }
}
