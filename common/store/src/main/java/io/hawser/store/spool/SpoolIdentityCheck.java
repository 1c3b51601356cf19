package io.hawser.store.spool;

import io.hawser.core.model.NodeId;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Compares a spool's {@code node.id} with its transfers, whose keys name the node that made them. A damaged id that is still an id shows only here.
 *
 * <p>Thread: the one that opens or checks the spool.
 */
final class SpoolIdentityCheck {
    private SpoolIdentityCheck() {}

    /** A sentence with the way out if the journal holds another node's transfers; empty if it does not. */
    static Optional<String> problem(Path directory, NodeId id, TransferRegister register) {
        return register.all().stream()
                .map(transfer -> transfer.key().publisher())
                .filter(publisher -> !publisher.equals(id))
                .findFirst()
                .map(publisher ->
                        directory.resolve("node.id") + " says " + id + ", but the journal holds transfers of node "
                                + publisher + ": the file was damaged, or is another node's. Write " + publisher
                                + " into it, or restore it from a backup");
    }
}
