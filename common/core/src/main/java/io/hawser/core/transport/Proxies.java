package io.hawser.core.transport;

import io.hawser.core.config.HostPort;
import io.hawser.ptcp.ChannelDialler;
import io.hawser.ptcp.HttpProxy;
import io.hawser.ptcp.ProxyDialler;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.EventLoop;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Dials each broker through its proxy.
 *
 * <p>Thread: immutable.
 */
public final class Proxies implements ChannelDialler {
    private final Map<HostPort, ChannelDialler> byBroker;
    private final @Nullable ChannelDialler others;

    private Proxies(Map<HostPort, ChannelDialler> byBroker, @Nullable ChannelDialler others) {
        this.byBroker = Map.copyOf(byBroker);
        this.others = others;
    }

    /**
     * Reads {@code PROXY} for all brokers, {@code BROKER=PROXY} for one and {@code BROKER=direct}, separated by commas; each is HOST:PORT.
     *
     * @param user the user name for the proxies; null if they need none
     * @throws IllegalArgumentException with a sentence that says what is wrong
     */
    public static Proxies parse(String text, @Nullable String user, String password) {
        Map<HostPort, ChannelDialler> byBroker = new HashMap<>();
        ChannelDialler others = null;
        for (String part : text.split(",", -1)) {
            int equals = part.indexOf('=');
            String proxy = part.substring(equals + 1).strip();
            ChannelDialler dialler =
                    equals >= 0 && proxy.equals("direct") ? ChannelDialler.DIRECT : dialler(proxy, user, password);
            if (equals >= 0) {
                byBroker.put(HostPort.parse(part.substring(0, equals)), dialler);
            } else if (others == null) {
                others = dialler;
            } else {
                throw new IllegalArgumentException("more than one proxy for all brokers: " + text);
            }
        }
        return new Proxies(byBroker, others);
    }

    private static ChannelDialler dialler(String text, @Nullable String user, String password) {
        HostPort address = HostPort.parse(text);
        return new ProxyDialler(
                new HttpProxy(InetSocketAddress.createUnresolved(address.host(), address.port()), user, password));
    }

    private ChannelDialler to(InetSocketAddress broker) {
        ChannelDialler own = byBroker.get(new HostPort(broker.getHostString(), broker.getPort()));
        return Optional.ofNullable(own).orElse(others == null ? ChannelDialler.DIRECT : others);
    }

    @Override
    public boolean takesNames(InetSocketAddress address) {
        return to(address).takesNames(address);
    }

    @Override
    public ChannelFuture dial(EventLoop loop, InetSocketAddress address, ChannelHandler pipeline, Duration timeout) {
        return to(address).dial(loop, address, pipeline, timeout);
    }
}
