package io.hawser.brokerkafka;

import io.hawser.broker.store.local.LogStore;
import io.hawser.common.buffer.FragmentBufferPool;
import io.hawser.common.storage.Storage;
import io.hawser.common.storage.StorageException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The store whose truth is in Kafka. Of the brokers over one cluster one has it; the index beside it is that broker's own, and is made
 * again from the journal at any doubt.
 *
 * <p>Thread: as for {@link LogStore}.
 */
public final class KafkaStore extends LogStore {
    private static final Logger LOG = LoggerFactory.getLogger(KafkaStore.class);

    private final Membership membership;
    private final boolean development;

    private KafkaStore(
            Storage storage,
            Path directory,
            KafkaStoreConfig config,
            FragmentBufferPool pool,
            Executor loop,
            Consumer<StorageException> fatal,
            LogOpener opener,
            Membership membership)
            throws StorageException {
        super(storage, directory, config.limits(), pool, loop, fatal, opener);
        this.membership = membership;
        this.development = config.development();
    }

    /**
     * Waits until this broker is the one that has the store, takes it and opens it. Blocks until it can answer every question.
     *
     * @param directory the node's data directory, which the caller has locked
     * @param pool where fragments are read to
     * @param loop where callbacks are posted
     * @param fatal told, on some thread, when the store has died or another broker has it; the node then has to end
     * @throws StorageException if the cluster cannot be reached, or would lose what it took: the message says what to set
     */
    public static KafkaStore open(
            Storage storage,
            Path directory,
            KafkaStoreConfig config,
            FragmentBufferPool pool,
            Executor loop,
            Consumer<StorageException> fatal)
            throws StorageException {
        TlsProbe.check(config.bootstrap(), config.properties());
        KafkaClients clients = new KafkaClients(config);
        Admin admin;
        try {
            admin = clients.admin();
        } catch (KafkaException e) {
            throw new StorageException(
                    "there is no way to " + config.bootstrap() + ": "
                            + (e.getCause() == null
                                    ? e.getMessage()
                                    : e.getCause().getMessage()),
                    e);
        }
        Membership membership = null;
        try {
            KafkaTopics.Facts facts = KafkaTopics.prepare(admin, config);
            membership = new Membership(clients, config.journalTopic(), fatal);
            LOG.atInfo().addKeyValue("group", config.groupId()).log("Standing by until this broker has the store");
            standBy(membership);
            KafkaStore store = new KafkaStore(
                    storage,
                    directory,
                    config,
                    pool,
                    loop,
                    fatal,
                    observer -> KafkaLog.open(config, clients, admin, facts, observer, fatal),
                    membership);
            store.start();
            return store;
        } catch (StorageException | RuntimeException e) {
            if (membership != null) {
                membership.close();
            }
            admin.close(Duration.ZERO);
            throw e;
        }
    }

    /** A signal ends the waiting: the others are to know at once that there is one fewer. */
    private static void standBy(Membership membership) throws StorageException {
        Thread onSignal = new Thread(membership::close, "hawser-kafka-leave");
        Runtime.getRuntime().addShutdownHook(onSignal);
        membership.await();
        try {
            Runtime.getRuntime().removeShutdownHook(onSignal);
        } catch (IllegalStateException e) {
            throw new StorageException("stopped while standing by", e);
        }
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
    public void close() {
        super.close();
        membership.close();
    }
}
