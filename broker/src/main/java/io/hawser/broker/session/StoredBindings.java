package io.hawser.broker.session;

import io.hawser.common.access.Identity;
import io.hawser.common.model.NodeId;
import io.hawser.common.storage.CorruptRecordException;
import io.hawser.common.storage.LineFile;
import io.hawser.common.storage.Storage;
import io.hawser.common.tls.CertificateNames;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bindings in the file {@code nodes} of the broker's data directory: a node id and a subject on each line. A node that comes for the
 * first time is written down, with a force, before it is let in; that happens once in its life, so it is done on the loop.
 *
 * <p>Thread: the relay's loop; who a node is, any.
 */
public final class StoredBindings implements NodeBindings {
    private static final Logger LOG = LoggerFactory.getLogger(StoredBindings.class);
    private static final String FILE = "nodes";
    /** So many node ids one subject may bring; programs make one for each state directory. */
    private static final int NODES_PER_PRINCIPAL = 10_000;

    private final LineFile file;
    private final Map<NodeId, Identity> byNode = new ConcurrentHashMap<>();
    private final Map<String, Integer> counts = new HashMap<>();
    private final Consumer<NodeId> bound;

    private StoredBindings(LineFile file, Consumer<NodeId> bound) {
        this.file = file;
        this.bound = bound;
    }

    /**
     * Reads the file of a data directory.
     *
     * @param bound told of each node that comes for the first time
     */
    public static StoredBindings open(Storage storage, Path data, Consumer<NodeId> bound) throws IOException {
        LineFile file = new LineFile(storage, data.resolve(FILE));
        StoredBindings bindings = new StoredBindings(file, bound);
        for (String line : file.read()) {
            int space = line.indexOf(' ');
            try {
                bindings.put(NodeId.parse(line.substring(0, Math.max(0, space))), line.substring(space + 1));
            } catch (IllegalArgumentException e) {
                throw new CorruptRecordException(data.resolve(FILE) + " has a line that is not NODE SUBJECT: " + line);
            }
        }
        return bindings;
    }

    private void put(NodeId node, String principal) {
        byNode.put(node, CertificateNames.named(principal));
        counts.merge(principal, 1, Integer::sum);
    }

    @Override
    public Optional<String> whyNot(NodeId node, String subject) {
        String principal = subject.replace('\n', ' '); // one line in the file
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
        try {
            file.append(node + " " + principal);
        } catch (IOException e) {
            LOG.atError().setCause(e).addKeyValue("node", node).log("a node could not be bound to its certificate");
            return Optional.of("the broker cannot write down which node this is; its log has the details");
        }
        put(node, principal);
        bound.accept(node);
        return Optional.empty();
    }

    @Override
    public Identity of(NodeId node) {
        return byNode.getOrDefault(node, Identity.UNKNOWN);
    }
}
