package io.hawser.agentb;

import io.hawser.core.model.NodeId;
import io.hawser.store.landing.LandingOptions;
import io.hawser.store.storage.DirectoryGoneException;
import io.hawser.store.storage.NodeDirectory;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Binds a target directory to a data directory, so that agent-b does not deliver below an empty mount point, or onto another disk, while a file
 * system is not mounted. The landing area in the target has an identity of its own; the data directory records it ({@code target-NAME}), and the
 * landing area records the data directory's ({@code agent.id}).
 *
 * <p>Each file holds an identity in its first line and, for people, the other directory's path in its second.
 *
 * <p>Thread: the one that starts the node.
 */
final class TargetIdentityCheck {
    private static final String REMEDY = " To bind the two to each other anyway, start agent-b once with --rebind.";

    private final Storage storage;
    private final Path data;
    private final Path target;
    private final Path landing;
    private final String name;

    /**
     * @param data of the node, open
     * @param target where it delivers
     * @param landing the landing area in it
     */
    TargetIdentityCheck(Storage storage, Path data, Path target, Path landing) {
        this.storage = storage;
        this.data = data;
        this.target = target;
        this.landing = landing;
        this.name = String.valueOf(landing.getFileName()).substring(LandingOptions.DIRECTORY_PREFIX.length());
    }

    private record Peer(String id, String path) {}

    /** Throws unless the two belong to each other, or neither is bound yet. Changes nothing. */
    void check() throws StorageException {
        Optional<Peer> bound = read(inData());
        Optional<String> there = landingId();
        if (bound.isPresent() && !there.equals(bound.map(Peer::id))) {
            throw new DirectoryGoneException(
                    data + " belongs to the target directory " + bound.get().path()
                            + ", and "
                            + (there.isEmpty()
                                    ? target
                                            + " has no landing area: is its file system mounted? Mount it and start again. Nothing"
                                            + " was changed."
                                    : target
                                            + " has the landing area of another agent-b, or of an earlier one: is the right file system"
                                            + " mounted?")
                            + " If you moved or replaced the target on purpose, what had not been delivered there is lost or stays there."
                            + REMEDY);
        }
        Optional<Peer> back = read(inLanding());
        if (back.isPresent() && !back.get().id().equals(dataId())) {
            throw new DirectoryGoneException(
                    target + " belongs to the data directory " + back.get().path() + " of an agent-b, not to " + data
                            + ": give that one as --data, or mount the right file system." + REMEDY);
        }
    }

    /** Binds the two, whatever they belonged to. Both must exist. */
    void bind() throws StorageException {
        write(inLanding(), dataId(), data);
        write(inData(), landingId().orElseThrow(), target);
    }

    private Path inData() {
        return data.resolve("target-" + name);
    }

    private Path inLanding() {
        return landing.resolve("agent.id");
    }

    private String dataId() throws StorageException {
        return NodeDirectory.storedId(storage, data).toString();
    }

    /** Empty if the target has no landing area. */
    private Optional<String> landingId() throws StorageException {
        return NodeDirectory.isNew(storage, landing)
                ? Optional.empty()
                : Optional.of(NodeDirectory.storedId(storage, landing).toString());
    }

    private Optional<Peer> read(Path file) throws StorageException {
        if (storage.facts(file) == null) {
            return Optional.empty();
        }
        String[] lines = new String(storage.readAll(file), StandardCharsets.UTF_8).split("\n", -1);
        try {
            return Optional.of(new Peer(NodeId.parse(lines[0]).toString(), lines.length > 1 ? lines[1] : "?"));
        } catch (IllegalArgumentException e) {
            throw new DirectoryGoneException(file + " is damaged: it holds no identity. Check the disk." + REMEDY);
        }
    }

    private void write(Path file, String id, Path other) throws StorageException {
        Optional<Peer> before = isReadable(file) ? read(file) : Optional.empty();
        Peer peer = new Peer(id, other.toAbsolutePath().normalize().toString());
        if (!before.equals(Optional.of(peer))) {
            storage.replaceAll(file, (peer.id() + "\n" + peer.path() + "\n").getBytes(StandardCharsets.UTF_8));
        }
    }

    private boolean isReadable(Path file) {
        try {
            return read(file).isPresent();
        } catch (StorageException e) {
            return false; // a damaged file is replaced
        }
    }
}
