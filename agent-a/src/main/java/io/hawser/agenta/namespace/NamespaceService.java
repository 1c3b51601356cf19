package io.hawser.agenta.namespace;

import io.hawser.core.collection.EvictingMap;
import io.hawser.core.ftp.FtpPath;
import io.hawser.core.hop.Outcome;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferKey;
import io.hawser.core.remote.CallTimeouts;
import io.hawser.core.remote.RemoteFile;
import io.hawser.core.remote.RemoteFiles;
import io.hawser.store.spool.Spool;
import io.hawser.store.spool.TransferSnapshot;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The namespace of one node for its fronts: what is at a path and in a directory, as the spool and the far ends know it, and whether a
 * new name is free.
 *
 * <p>Thread: the loop.
 */
public final class NamespaceService {
    private static final int AWAY_SECONDS = 5;
    private static final int MAX_REPORTED = 10_000;

    private final NamespaceOptions options;
    private final int fragmentSizeBytes;
    private final Spool spool;
    private final RemoteFiles remote;
    private final ListedTopics topics;
    private final Namespace namespace;
    private final PendingNames pending;
    private final CreatedDirectories created = new CreatedDirectories();
    private final Set<TransferKey> reportedFailures = EvictingMap.newSet(MAX_REPORTED);
    private final AdvertisedSizes advertisedSizes = new AdvertisedSizes();
    private final FarNamespace far;
    private final PathLookup paths;
    private final ObstacleSearch obstacles;
    private final UnsettledNames unsettled;

    /**
     * Over a spool and the far ends.
     *
     * @param fragmentSizeBytes of what is sent
     * @param topics what the root directory lists
     */
    public NamespaceService(
            NamespaceOptions options,
            int fragmentSizeBytes,
            Spool spool,
            RemoteFiles remote,
            ListedTopics topics,
            EventLoop loop) {
        this.options = options;
        this.fragmentSizeBytes = fragmentSizeBytes;
        this.spool = spool;
        this.remote = remote;
        this.topics = topics;
        this.namespace = new Namespace(options.root());
        this.pending = new PendingNames(namespace, spool);
        this.far = new FarNamespace(remote, options.farLookTime(), topics::used, System::nanoTime);
        this.paths = new PathLookup(namespace, spool, pending, created, far, options.partialListings());
        this.obstacles = new ObstacleSearch(spool, pending, remote, loop, System::nanoTime);
        this.unsettled = new UnsettledNames(loop);
    }

    public NamespaceOptions options() {
        return options;
    }

    /** The size of the fragments that uploads are cut into. */
    public int fragmentSizeBytes() {
        return fragmentSizeBytes;
    }

    public Spool spool() {
        return spool;
    }

    public RemoteFiles remoteFiles() {
        return remote;
    }

    public Namespace namespace() {
        return namespace;
    }

    public Optional<Namespace.Place> place(FtpPath path) {
        return namespace.place(path);
    }

    public PendingNames pending() {
        return pending;
    }

    public CreatedDirectories created() {
        return created;
    }

    /**
     * The transfers whose failure was the final reply to the client that sent them: they were never said to be accepted, so they are no
     * warning to the operator. The node warns again of those that it has forgotten.
     */
    public Set<TransferKey> reportedFailures() {
        return reportedFailures;
    }

    /** The sizes that clients were told about uploads that broke off. */
    public AdvertisedSizes advertisedSizes() {
        return advertisedSizes;
    }

    public PathLookup paths() {
        return paths;
    }

    /** What the far ends say of names. */
    FarNamespace far() {
        return far;
    }

    /** What the root directory lists. */
    ListedTopics topics() {
        return topics;
    }

    public ObstacleSearch obstacles() {
        return obstacles;
    }

    /** The names whose change is accepted and not durable yet. */
    UnsettledNames unsettled() {
        return unsettled;
    }

    /**
     * Runs {@code action} when no change of {@code place}, or of a directory above it, waits to become durable; perhaps inside this call.
     * What {@code action} finds and accepts in one turn of the loop is one step. Returns what ends the wait.
     */
    public Runnable whenSettled(Namespace.Place place, Runnable action) {
        return unsettled.whenSettled(List.of(place), action);
    }

    /** Whether a change of something in {@code directory} waits to become durable. */
    public boolean isUnsettledBelow(Namespace.Place directory) {
        return unsettled.isBelow(directory);
    }

    /**
     * The number of the last durable transfer from here that touched {@code place} or a directory above it; 0 if none is remembered. While
     * it stays the same, nothing was done to {@code place} through this node.
     */
    public long lastTouch(Namespace.Place place) {
        Stream<TransferSnapshot> touches = spool.touching(place.topic(), place.name()).stream();
        for (Namespace.Place at = place; !at.isTopic(); at = at.parent()) {
            touches = Stream.concat(touches, spool.lastEnded(at.topic(), at.name()).stream());
        }
        return touches.mapToLong(state -> state.manifest().number()).max().orElse(0);
    }

    /** Asks the far end for what is at a name, where it alone knows: one that is away is waited for, {@value #AWAY_SECONDS} s at most. */
    public void askTheFarEnd(Topic topic, String name, Outcome.Callback<RemoteFile> done) {
        remote.stat(topic, name, new CallTimeouts(Duration.ofSeconds(AWAY_SECONDS), options.farLookTime()), done);
    }

    /** A client has used {@code topic} with success: the root directory lists it from now on. */
    public void used(Topic topic) {
        topics.used(topic);
    }

    /** Lists the topics of the spool, which may forget them from now on. After the spool's start. */
    public void listSpooledTopics() {
        PendingDirectory.topics(spool, state -> true).forEach(held -> topics.used(new Topic(held.name())));
    }

    /** Whether the far end of {@code topic} was away when it was last asked, a moment ago. */
    public boolean isAway(Topic topic) {
        return far.isAway(topic);
    }

    /** The topics whose far ends were away or silent when they were last asked. */
    public List<String> away() {
        return far.away().stream().map(Topic::name).sorted().toList();
    }

    /** Something was done to {@code path} through this node: what was remembered of the far end no longer holds. */
    public void changed(FtpPath path) {
        namespace.place(path).ifPresent(this::changed);
    }

    void changed(Topic topic, List<String> names) {
        names.forEach(name -> changed(new Namespace.Place(topic, name)));
    }

    private void changed(Namespace.Place place) {
        far.changed(place);
        obstacles.changed(place);
    }
}
