package io.hawser.agenta.ftp;

import io.hawser.agenta.data.BufferScheduler;
import io.hawser.agenta.download.ReadBudget;
import io.hawser.agenta.gsi.GsiGate;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.ftp.FtpPath;
import io.hawser.core.ftp.ReplyCode;
import io.hawser.core.model.Topic;
import io.hawser.core.remote.RemoteFiles;
import io.hawser.ops.audit.Audit;
import io.hawser.store.spool.Spool;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.epoll.EpollSocketChannelConfig;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The FTP server of agent-a: listens, and hands what clients upload to the spool.
 *
 * <p>Everything runs on one event loop of the group, the same that the spool calls back on.
 *
 * <p>Thread: {@link #start}, {@link #address} and {@link #close} any but the loop; the rest the loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // Netty: a failed write or close shows as channelInactive
public final class FtpServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FtpServer.class);
    private static final Duration STOP_TIME = Duration.ofSeconds(4);
    /** Blocks of one fragment that all downloads together have under way from the far edges. */
    public static final int FAR_BLOCKS = 20;

    /** Of one of them: what a link of 100 Mbit/s carries in 1.5 s, so that a long one stays full; the next begins with the rest. */
    private static final int FAR_BLOCKS_OF_ONE_DOWNLOAD = 18;
    /** The same of the spool's copies: they share the memory that the spool sends from. */
    private static final int OWN_BLOCKS = 4;

    private static final int CHECKSUM_THREAD_SECONDS = 10;

    private static final int KEEP_ALIVE_SECONDS = 30;

    private final FtpServerConfig config;
    private final EventLoop loop;
    private final FragmentBufferPool pool;
    private final BufferScheduler turns;
    private final Spool spool;
    private final CommandTable commands;
    private final Namespace namespace;
    private final HeldNames heldNames;
    private final ToldSizes toldSizes = new ToldSizes();
    private final RefusedTries refusedTries = new RefusedTries(System::nanoTime);
    private final @Nullable GsiGate gate;
    private final Logins logins;
    private final LoginGuard guard;
    private final KnownDirectories knownDirectories = new KnownDirectories();
    private final ListedTopics topics;
    private final RemoteFiles remote;
    private final FarView far;
    private final PathLookup paths;
    private final DirectoryLookup directories;
    private final ObstacleSearch obstacles;
    private final ReadBudget farReads;
    private final ReadBudget ownReads;
    private final Executor checksums;
    private final FtpListeners listeners;
    private final FtpSessions sessions;
    private Supplier<String> broker = () -> "";
    private Audit audit = Audit.NONE;

    /**
     * Makes a server; {@link #start} opens it.
     *
     * @param config what to serve
     * @param group whose next loop everything runs on; it must be the spool's
     * @param pool memory for what comes in; its buffers hold one fragment
     * @param spool where uploads go
     * @param topics what the root directory lists
     * @param remote the files at the far edges; it has memory for {@link #FAR_BLOCKS} blocks that are read
     * @param commands what clients may say
     */
    public FtpServer(
            FtpServerConfig config,
            EventLoopGroup group,
            FragmentBufferPool pool,
            Spool spool,
            ListedTopics topics,
            RemoteFiles remote,
            CommandTable commands) {
        this.config = config;
        this.loop = group.next();
        this.pool = pool;
        this.turns = new BufferScheduler(
                pool, loop, (millis, task) -> loop.schedule(task, millis, TimeUnit.MILLISECONDS), System::nanoTime);
        this.spool = spool;
        this.commands = commands;
        this.gate = config.gsi() == null ? null : new GsiGate(config.gsi());
        this.logins = new Logins(config.accounts(), gate, loop);
        this.guard = new LoginGuard(
                config.limits().maxFailuresOfAddress(), config.limits().barTime());
        this.namespace = new Namespace(config.root());
        this.heldNames = new HeldNames(namespace, spool);
        this.topics = topics;
        this.remote = remote;
        this.far = new FarView(remote, config.limits().farLookTime(), topics::used, System::nanoTime);
        this.paths = new PathLookup(namespace, spool, heldNames, knownDirectories, far, config.partialListings());
        this.directories = new DirectoryLookup(
                namespace, heldNames, paths, far, knownDirectories, topics, config.partialListings());
        this.obstacles = new ObstacleSearch(spool, heldNames, remote, loop, System::nanoTime);
        this.farReads = new ReadBudget(FAR_BLOCKS, FAR_BLOCKS_OF_ONE_DOWNLOAD, loop);
        this.ownReads = new ReadBudget(OWN_BLOCKS, OWN_BLOCKS, loop);
        this.checksums = checksumThread();
        this.sessions = new FtpSessions(config.limits());
        this.listeners = new FtpListeners(loop, this::accepted);
    }

    /** Listens, and returns the address for FTP. {@link IOException} if that cannot be. */
    public InetSocketAddress start() throws IOException {
        for (Map.Entry<FtpDoor, InetSocketAddress> door : config.doors().entrySet()) {
            listeners.open(door.getKey(), door.getValue());
        }
        return address();
    }

    /** The address for FTP. */
    public InetSocketAddress address() {
        return address(FtpDoor.FTP).orElseThrow(() -> new IllegalStateException("not started"));
    }

    /** Where clients come in by that door, if it is open. */
    public Optional<InetSocketAddress> address(FtpDoor door) {
        return listeners.address(door);
    }

    private void accepted(Channel channel, FtpDoor door) {
        Optional<String> reason = sessions.refusal((InetSocketAddress) channel.remoteAddress());
        if (reason.isPresent()) {
            FtpReply refusal = FtpReply.of(ReplyCode.NOT_AVAILABLE, reason.get());
            channel.writeAndFlush(Unpooled.wrappedBuffer(refusal.encode())).addListener(ChannelFutureListener.CLOSE);
            return;
        }
        if (channel.config() instanceof EpollSocketChannelConfig socket) {
            // A client may wait for minutes for the end of its transfer; nothing between may forget its connection.
            socket.setTcpKeepIdle(KEEP_ALIVE_SECONDS).setTcpKeepIntvl(KEEP_ALIVE_SECONDS);
        }
        ControlChannel control = new ControlChannel(this, channel, door);
        sessions.began(control);
        FtpTls tls = config.tls();
        if (door == FtpDoor.FTPS && tls != null) {
            control.session().tls().fromTheBeginning(tls);
        }
        channel.pipeline().addLast(control);
    }

    /** Who is connected. */
    FtpSessions sessions() {
        return sessions;
    }

    /**
     * Stops in an orderly way, within five seconds: uploads that are complete get their reply, others are broken off and stay
     * in the spool to be continued, and clients are told.
     */
    @Override
    public void close() {
        loop.execute(() -> {
            listeners.close();
            sessions.stop();
        });
        if (!sessions.awaitEnd(STOP_TIME)) {
            LOG.atWarn().log("sessions did not end in time and are closed");
            loop.execute(sessions::close);
        }
        logins.close();
        if (gate != null) {
            gate.close();
        }
    }

    /** Before {@link #start}: who tells whether the broker is there, for STAT. It returns why not, or an empty text. */
    public void broker(Supplier<String> problem) {
        broker = problem;
    }

    /** What stands between this node and the files, a sentence each; empty if nothing is known to. */
    public List<String> obstacles() {
        List<String> obstacles = new ArrayList<>();
        String problem = broker.get();
        if (!problem.isEmpty()) {
            obstacles.add("No session with the broker: " + problem);
        }
        away().forEach(topic -> obstacles.add("The far edge of " + topic + " was away when it was last asked"));
        return obstacles;
    }

    /** The topics whose far edges were away or silent when they were last asked. */
    public List<String> away() {
        return far.away().stream().map(Topic::name).sorted().toList();
    }

    /** What is served. */
    public FtpServerConfig config() {
        return config;
    }

    /** Its bounds and times. */
    public FtpLimits limits() {
        return config.limits();
    }

    /** What clients may say. */
    public CommandTable commands() {
        return commands;
    }

    /** Which topic and name a path means. */
    public Namespace namespace() {
        return namespace;
    }

    /** The topics that the root directory lists. */
    ListedTopics topics() {
        return topics;
    }

    /** Has those of the spool listed that it may forget from now on. On the loop, after the spool's start. */
    public void listSpooledTopics() {
        HeldDirectory.topics(spool, state -> true).forEach(held -> topics.used(new Topic(held.name())));
    }

    /** What the spool holds. */
    public HeldNames heldNames() {
        return heldNames;
    }

    /** Uploads that were refused for now. */
    RefusedTries refusedTries() {
        return refusedTries;
    }

    /** The sizes that clients were told of uploads that broke off. */
    public ToldSizes toldSizes() {
        return toldSizes;
    }

    /** Directories that were made here. */
    public KnownDirectories knownDirectories() {
        return knownDirectories;
    }

    /** The spool. */
    public Spool spool() {
        return spool;
    }

    /** The size of the fragments that uploads are cut into. */
    public int fragmentSizeBytes() {
        return pool.payloadCapacity();
    }

    Logins logins() {
        return logins;
    }

    /** Who lets in by GSI, or null. */
    @Nullable
    GsiGate gate() {
        return gate;
    }

    /** Where what clients do is noted; before {@link #start}. */
    public void audit(Audit notes) {
        audit = notes;
    }

    Audit audit() {
        return audit;
    }

    LoginGuard guard() {
        return guard;
    }

    /** What stands at a path, here or at the far edge. */
    public PathLookup paths() {
        return paths;
    }

    /** What a directory holds, here and at the far edge. */
    public DirectoryLookup directories() {
        return directories;
    }

    /** What stands in the way of new names. */
    ObstacleSearch obstacleSearch() {
        return obstacles;
    }

    /** Whether the far edge of {@code topic} was away when it was last asked, a moment ago. */
    boolean isAway(Topic topic) {
        return far.isAway(topic);
    }

    /** The files at the far edges. */
    public RemoteFiles remoteFiles() {
        return remote;
    }

    /** Something was done to {@code path} through this server: what was remembered of the far edge no longer holds. */
    public void changed(FtpPath path) {
        namespace.place(path).ifPresent(this::changed);
    }

    /** The same for names of a topic. */
    void changed(Topic topic, List<String> names) {
        names.forEach(name -> changed(new Namespace.Place(topic, name)));
    }

    private void changed(Namespace.Place place) {
        far.changed(place);
        obstacles.changed(place);
    }

    /** The bound on blocks from the far edges. */
    ReadBudget farReads() {
        return farReads;
    }

    /** The bound on blocks from the spool. */
    ReadBudget ownReads() {
        return ownReads;
    }

    /** Where checksums of the spool's copies are computed. */
    Executor checksums() {
        return checksums;
    }

    /** One thread, which is there while it is needed. */
    private static Executor checksumThread() {
        ThreadPoolExecutor executor = new ThreadPoolExecutor(
                1, 1, CHECKSUM_THREAD_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread thread = new Thread(task, "hawser-checksum");
                    thread.setDaemon(true);
                    return thread;
                });
        executor.allowCoreThreadTimeOut(true);
        return executor;
    }

    FragmentBufferPool pool() {
        return pool;
    }

    /** Who has that memory next. */
    BufferScheduler turns() {
        return turns;
    }

    EventLoop loop() {
        return loop;
    }
}
