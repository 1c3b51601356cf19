package io.hawser.broker.session;

import io.hawser.core.access.Identity;
import io.hawser.core.model.NodeId;
import io.hawser.core.tls.CertificateIdentity;
import io.hawser.store.storage.CorruptRecordException;
import io.hawser.store.storage.LineFile;
import io.hawser.store.storage.Storage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Node bindings in the file {@code nodes} of the broker's data directory: one node id and subject per line. The broker admits a new
 * node after a forced write of its line. A disk thread writes; the loop does not wait.
 *
 * <p>Thread: the relay's loop; a node's identity, any.
 */
public final class StoredBindings implements NodeBindings {
    private static final Logger LOG = LoggerFactory.getLogger(StoredBindings.class);
    private static final String FILE = "nodes";
    /** So many node ids one subject may bring; programs make one for each state directory. */
    private static final int NODES_PER_PRINCIPAL = 10_000;

    private final LineFile file;
    private final Map<NodeId, Identity> byNode = new ConcurrentHashMap<>();
    private final Map<String, Integer> counts = new HashMap<>();
    private final Executor disk;
    private final Executor loop;
    private final Consumer<NodeId> bound;
    /** Nodes whose line is being written. */
    private final Map<NodeId, CompletableFuture<String>> writing = new HashMap<>();

    private StoredBindings(LineFile file, Executor disk, Executor loop, Consumer<NodeId> bound) {
        this.file = file;
        this.disk = disk;
        this.loop = loop;
        this.bound = bound;
    }

    private static Path path(Path data) {
        return data.resolve(FILE);
    }

    /**
     * Reads the file of a data directory.
     *
     * @param disk runs tasks that may block, one at a time
     * @param loop runs all else
     * @param bound told of each node that comes for the first time
     */
    public static StoredBindings open(Storage storage, Path data, Executor disk, Executor loop, Consumer<NodeId> bound)
            throws IOException {
        LineFile file = new LineFile(storage, path(data));
        StoredBindings bindings = new StoredBindings(file, disk, loop, bound);
        for (String line : file.read()) {
            int space = line.indexOf(' ');
            try {
                bindings.put(NodeId.parse(line.substring(0, Math.max(0, space))), line.substring(space + 1));
            } catch (IllegalArgumentException e) {
                throw new CorruptRecordException(path(data) + " has a line that is not NODE SUBJECT: " + line);
            }
        }
        return bindings;
    }

    private void put(NodeId node, String principal) {
        byNode.put(node, CertificateIdentity.named(principal));
        counts.merge(principal, 1, Integer::sum);
    }

    @Override
    public Optional<String> whyNot(NodeId node, String subject) {
        String principal = oneLine(subject);
        Identity before = byNode.get(node);
        if (before != null) {
            return before.principal().equals(principal)
                    ? Optional.empty()
                    : Optional.of(
                            "node " + node + " has come with another certificate before: its data directory belongs"
                                    + " to another node; give this one a directory of its own");
        }
        if (counts.getOrDefault(principal, 0) >= NODES_PER_PRINCIPAL) {
            return Optional.of("this certificate has come with " + NODES_PER_PRINCIPAL + " nodes, which is the limit");
        }
        return Optional.empty();
    }

    private static String oneLine(String subject) {
        return subject.replace('\n', ' ');
    }

    @Override
    public Optional<CompletionStage<String>> bind(NodeId node, String subject) {
        if (byNode.containsKey(node)) {
            return Optional.empty();
        }
        CompletableFuture<String> underWay = writing.get(node);
        if (underWay != null) {
            return Optional.of(underWay);
        }
        CompletableFuture<String> written = new CompletableFuture<>();
        writing.put(node, written);
        String principal = oneLine(subject);
        disk.execute(() -> write(node, principal, written));
        return Optional.of(written);
    }

    private void write(NodeId node, String principal, CompletableFuture<String> written) {
        try {
            file.append(node + " " + principal);
            loop.execute(() -> {
                writing.remove(node);
                put(node, principal);
                bound.accept(node);
                written.complete("");
            });
        } catch (IOException e) {
            LOG.atError().setCause(e).addKeyValue("node", node).log("a node could not be bound to its certificate");
            loop.execute(() -> {
                writing.remove(node);
                written.complete("the broker cannot write down which node this is; its log has the details");
            });
        }
    }

    @Override
    public Identity of(NodeId node) {
        return byNode.getOrDefault(node, Identity.UNKNOWN);
    }
}
