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
 * Which target directory belongs to which data directory. The landing area in the target has an identity of its own; the data
 * directory remembers it ({@code target-NAME}), and the landing area remembers the data directory's ({@code agent.id}). So agent-b does
 * not deliver below a mount point, or onto another disk, because a file system is not mounted.
 *
 * <p>Both files hold an identity in their first line and the other directory's path, for people, in their second.
 *
 * <p>Thread: whoever starts the node.
 */
final class TargetBinding {
    private static final String REMEDY =
            " To bind the two to each other as they are, start agent-b once with --rebind.";

    private final Storage storage;
    private final Path data;
    private final Path target;
    private final Path landing;
    private final String name;

    /**
     * Names the directories.
     *
     * @param data of the node, open
     * @param target where it delivers
     * @param landing the landing area in it
     */
    TargetBinding(Storage storage, Path data, Path target, Path landing) {
        this.storage = storage;
        this.data = data;
        this.target = target;
        this.landing = landing;
        this.name = String.valueOf(landing.getFileName()).substring(LandingOptions.DIRECTORY_PREFIX.length());
    }

    private record Side(String id, String path) {}

    /** Throws unless the two belong to each other, or neither is bound yet. Changes nothing. */
    void check() throws StorageException {
        Optional<Side> bound = read(inData());
        Optional<String> there = landingId();
        if (bound.isPresent() && !there.equals(bound.map(Side::id))) {
            throw new DirectoryGoneException(
                    data + " belongs to the target directory " + bound.get().path()
                            + ", and "
                            + (there.isEmpty()
                                    ? target
                                            + " has never been one of agent-b's: is its file system mounted? Mount it and start"
                                            + " again. Nothing was changed."
                                    : target
                                            + " has the landing area of another agent-b, or of another time: is the right file system"
                                            + " mounted?")
                            + " If the target was moved or replaced on purpose, what had not been delivered there is lost or stays there."
                            + REMEDY);
        }
        Optional<Side> back = read(inLanding());
        if (back.isPresent() && !back.get().id().equals(dataId())) {
            throw new DirectoryGoneException(
                    target + " belongs to the data directory " + back.get().path() + " of an agent-b, and not to "
                            + data + ": give that one as --data, or mount its file system." + REMEDY);
        }
    }

    /** Binds the two, whatever they belonged to. Both exist. */
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

    /** Nothing if no landing area has been there. */
    private Optional<String> landingId() throws StorageException {
        return NodeDirectory.isNew(storage, landing)
                ? Optional.empty()
                : Optional.of(NodeDirectory.storedId(storage, landing).toString());
    }

    private Optional<Side> read(Path file) throws StorageException {
        if (storage.facts(file) == null) {
            return Optional.empty();
        }
        String[] lines = new String(storage.readAll(file), StandardCharsets.UTF_8).split("\n", -1);
        try {
            return Optional.of(new Side(NodeId.parse(lines[0]).toString(), lines.length > 1 ? lines[1] : "?"));
        } catch (IllegalArgumentException e) {
            throw new DirectoryGoneException(
                    file + " does not hold an identity: it is damaged. Check the disk." + REMEDY);
        }
    }

    private void write(Path file, String id, Path other) throws StorageException {
        Optional<Side> before = isReadable(file) ? read(file) : Optional.empty();
        Side side = new Side(id, other.toAbsolutePath().normalize().toString());
        if (!before.equals(Optional.of(side))) {
            storage.replaceAll(file, (side.id() + "\n" + side.path() + "\n").getBytes(StandardCharsets.UTF_8));
        }
    }

    private boolean isReadable(Path file) {
        try {
            return read(file).isPresent();
        } catch (StorageException e) {
            return false; // it is replaced
        }
    }
}
