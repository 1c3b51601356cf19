package io.hawser.common.node;

import io.hawser.common.cli.Node;
import io.hawser.common.config.HostPort;
import io.hawser.common.observe.AdminPage;
import io.hawser.common.observe.AdminServer;
import io.hawser.common.transport.AgentNet;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * A node's threads, its admin pages, the news that it cannot go on, and the order in which it begins and ends.
 *
 * <p>Thread: any; protocol state belongs to its network loop.
 */
public abstract class NodeBase implements Node {
    /** Its network loop and digest threads, which the node closes in {@link #end}. */
    protected final AgentNet net = new AgentNet();

    private final CompletableFuture<Void> failure = new CompletableFuture<>();
    private @Nullable AdminServer admin;

    /** Lets a node begin; if it cannot, it is stopped and the reason thrown. */
    protected static <N extends NodeBase> N begun(N node) throws IOException {
        try {
            node.begin();
            return node;
        } catch (IOException | RuntimeException e) {
            node.stop();
            throw e;
        }
    }

    /** Does what a node does when all of it is there: recovers, listens, connects. */
    protected abstract void begin() throws IOException;

    /** Ends all that it has begun, in order. The admin pages are closed already. */
    protected abstract void end();

    /** The addresses that are its own, in the order of the READY line. */
    protected abstract Map<String, String> ownAddresses();

    /** Shows pages and takes actions at {@code address}, if there is one. */
    protected final void openAdmin(
            Optional<HostPort> address,
            Map<String, AdminPage> pages,
            Map<String, AdminPage> actions,
            @Nullable SSLContext ssl)
            throws IOException {
        if (address.isPresent()) {
            admin = AdminServer.start(address.get(), pages, actions, ssl);
        }
    }

    /** It cannot go on. Only the first reason counts. */
    protected final void fail(Throwable reason) {
        failure.completeExceptionally(reason);
    }

    /** Whether {@link #fail} was not called. */
    protected final boolean isWhole() {
        return !failure.isDone();
    }

    @Override
    public final Map<String, String> addresses() {
        Map<String, String> addresses = new LinkedHashMap<>(ownAddresses());
        AdminServer running = admin;
        if (running != null) {
            addresses.put("admin", running.address().toString());
        }
        return addresses;
    }

    @Override
    public final CompletionStage<Void> failure() {
        return failure;
    }

    @Override
    public final void stop() {
        if (admin != null) {
            admin.close();
        }
        end();
    }
}
