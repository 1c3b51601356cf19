package io.hawser.broker.kafka;

import io.hawser.broker.store.StoreOpeningListener;
import io.hawser.broker.store.local.LogStore;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.ops.observe.HealthWarning;
import io.hawser.store.event.TransferEvents;
import io.hawser.store.runtime.StoreRuntime;
import io.hawser.store.runtime.ThreadedDisk;
import io.hawser.store.storage.RemoteStoreException;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The store whose log is in Kafka. One broker of those that share a cluster has it; the index is that broker's own, and is rebuilt
 * from the journal at any doubt.
 *
 * <p>Thread: as for {@link LogStore}.
 */
public final class KafkaStore extends LogStore {
    private static final Logger LOG = LoggerFactory.getLogger(KafkaStore.class);
    /** How long a cluster may take to be there; then the broker ends, so that its service manager starts it again. */
    private static final Duration REACH = Duration.ofSeconds(60);

    private final ActiveBrokerElection election;
    private final AckStallMonitor ackStalls;
    private final boolean development;

    private KafkaStore(
            Storage storage,
            Path directory,
            KafkaStoreConfig config,
            FragmentBufferPool pool,
            Executor loop,
            Consumer<StorageException> fatal,
            LogOpener opener,
            ActiveBrokerElection election,
            AckStallMonitor ackStalls,
            TransferEvents events)
            throws StorageException {
        super(
                storage,
                directory,
                config.limits(),
                StoreRuntime.of(new ThreadedDisk("store", KafkaLog.READS_AT_ONCE))
                        .withEvents(events),
                indexIn(storage, directory),
                pool,
                loop,
                fatal,
                opener);
        this.election = election;
        this.ackStalls = ackStalls;
        this.development = config.development();
    }

    /**
     * Waits until this broker is the one that has the store, takes it and opens it. Blocks until it can answer every question.
     *
     * @param directory the node's data directory, which the caller has locked
     * @param pool where fragments are read to
     * @param loop where callbacks are posted
     * @param fatal told, on some thread, when the store has died or another broker has it; the node then has to end
     * @param pages told how it goes
     * @param events takes what happens to transfers
     * @throws io.hawser.store.storage.RemoteStoreUnavailableException if the cluster is not reached within a minute
     * @throws StorageException if the cluster would lose what it took: the message says what to set
     * @throws java.util.concurrent.CancellationException if the process was told to end before it was this broker's turn
     */
    public static KafkaStore open(
            Storage storage,
            Path directory,
            KafkaStoreConfig config,
            FragmentBufferPool pool,
            Executor loop,
            Consumer<StorageException> fatal,
            StoreOpeningListener pages,
            TransferEvents events)
            throws StorageException {
        OpeningReporter reporter = new OpeningReporter(pages, System::nanoTime);
        LOG.atInfo().addKeyValue("bootstrap", config.bootstrap()).log("Looks for Kafka");
        try (ShutdownSignal signal = new ShutdownSignal()) {
            new BootstrapProbe(config, reporter).await(REACH, signal);
            KafkaClients clients = new KafkaClients(config);
            Admin admin = admin(clients, config);
            signal.endsWith(() -> admin.close(Duration.ZERO));
            ActiveBrokerElection election = null;
            try {
                KafkaTopics.Facts facts = new KafkaTopics(admin, config, reporter).prepare();
                AckStallMonitor ackStalls = new AckStallMonitor(System::nanoTime);
                ActiveWatch watch = new ActiveWatch(new BrokerGroup(admin, config));
                election = new ActiveBrokerElection(clients, config, watch, reporter, ackStalls, fatal);
                signal.endsWith(election::close);
                election.await();
                signal.check();
                reporter.begins();
                KafkaStore store = new KafkaStore(
                        storage,
                        directory,
                        config,
                        pool,
                        loop,
                        fatal,
                        observer -> KafkaLog.open(config, clients, admin, facts, observer, ackStalls, fatal),
                        election,
                        ackStalls,
                        events);
                store.start();
                return store;
            } catch (StorageException | RuntimeException e) {
                if (election != null) {
                    election.close();
                }
                admin.close(Duration.ZERO);
                signal.check(); // what fails since the signal has come is not worth a word
                throw e;
            }
        }
    }

    private static Admin admin(KafkaClients clients, KafkaStoreConfig config) throws StorageException {
        try {
            return clients.admin();
        } catch (KafkaException e) {
            throw new RemoteStoreException(
                    "there is no way to " + config.bootstrap() + ": "
                            + (e.getCause() == null
                                    ? e.getMessage()
                                    : e.getCause().getMessage()),
                    e);
        }
    }

    @Override
    public List<HealthWarning> warnings() {
        return ackStalls.warnings();
    }

    @Override
    public String ackMeaning() {
        return development ? "written to Kafka, in development" : "replicated";
    }

    /** What disks Kafka's nodes have is theirs to watch: a quota bounds what the store may take. */
    @Override
    protected long freeBytes() {
        return Long.MAX_VALUE / 4;
    }

    @Override
    protected long capacityBytes() {
        return freeBytes();
    }

    @Override
    protected long totalBytes() {
        return Long.MAX_VALUE; // not known
    }

    @Override
    public void close() {
        super.close();
        election.close();
    }
}
