package io.hawser.store.spool;

import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.TransferId;
import io.hawser.core.model.TransferKey;
import io.hawser.store.content.FragmentFiles;
import io.hawser.store.content.ScratchBuffers;
import io.hawser.store.journal.JournalCleaner;
import io.hawser.store.journal.JournalUse;
import io.hawser.store.journal.TransferJournal;
import io.hawser.store.log.KnownLog;
import io.hawser.store.log.LogConfig;
import io.hawser.store.log.LogEpochReader;
import io.hawser.store.log.OrphanGuard;
import io.hawser.store.runtime.DiskExecutor.Lane;
import io.hawser.store.runtime.LoopMailbox;
import io.hawser.store.runtime.SerialQueue;
import io.hawser.store.runtime.StoreRuntime;
import io.hawser.store.storage.CannotOpenNowException;
import io.hawser.store.storage.CorruptRecordException;
import io.hawser.store.storage.NodeDirectory;
import io.hawser.store.storage.OutOfSpaceException;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates the parts of a spool and connects them: {@code lock}, {@code node.id} and {@code epoch} of its directory, the
 * journal in {@code journal/}, the content in {@code data/}, and the queues.
 *
 * <p>Thread: the loop, but for opening and closing.
 */
final class SpoolParts implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(SpoolParts.class);
    static final String JOURNAL = "journal";
    static final String DATA = "data";

    final SpoolConfig config;
    final NodeDirectory node;
    final LoopMailbox mailbox;
    final StoreRuntime runtime;
    final TransferJournal<SpoolRecord> journal;
    final TransferRegister register;
    final TransferObservers observers = new TransferObservers();
    final ContentDisposal disposal;
    final TransferLifecycle transfers;
    final UploadContext context;
    final RepeatedFiles repeats;
    final InPlaceUploads references;
    final LoadQueue loads;
    final JournalCleaner<SpoolRecord> cleaner;
    final FreeSpaceMonitor timer;
    final BrokerHistory brokers;
    private final SerialQueue writes;
    private long lastNumber;
    private volatile @Nullable StorageException failure;
    private @Nullable SpoolOutlet listener;

    private SpoolParts(
            Storage storage,
            NodeDirectory node,
            SpoolConfig config,
            FragmentBufferPool pool,
            Executor digests,
            Executor loop,
            StoreRuntime runtime)
            throws StorageException {
        this.config = config;
        this.node = node;
        this.mailbox = new LoopMailbox(loop);
        this.brokers = BrokerHistory.open(storage, node.path());
        this.runtime = runtime;
        Executor disk = in(Lane.CONTENT);
        KnownLog known = new KnownLog(storage, node.path(), JOURNAL, DATA);
        OrphanGuard orphans = OrphanGuard.of(known);
        this.journal = TransferJournal.open(
                storage,
                LogConfig.of(node.path().resolve(JOURNAL), node.epoch(), "hawser-spool-log", runtime)
                        .withSegments(
                                config.journal().segmentSizeBytes(),
                                config.journal().spareSegments()),
                SpoolRecordKinds.KINDS,
                mailbox::post,
                this::journalFailed);
        FragmentFiles files = contentFiles(storage, node.path(), this::contentFailed);
        SpoolSpace space = new SpoolSpace(config.space(), runtime::steadyMillis);
        this.register = new TransferRegister(
                config.bounds(), runtime.steadyNanos(), new JournalUse(runtime.events()::neededSegment));
        SpoolEvents events = new SpoolEvents(runtime);
        this.lastNumber = recover(known, orphans, files, space, events);
        this.writes = runtime.disk().serial(Lane.CONTENT, "hawser-spool-disk");
        ContentWriter writer = new ContentWriter(
                files, digests, writes::execute, mailbox, cause -> mailbox.post(() -> storageFailed(cause)));
        FirstRecordQueue births = new FirstRecordQueue(journal, digests, mailbox);
        this.disposal = new ContentDisposal(files, in(Lane.NAMESPACE), mailbox, space);
        disposal.onSpaceReturned(space::retry);
        this.transfers =
                new TransferLifecycle(config, register, journal, births, disposal, space, observers, events, runtime);
        SourceFiles sources = new SourceFiles(storage);
        ContentReader reader = new ContentReader(files, journal, sources);
        this.context = new UploadContext(
                transfers, new ActiveUploads(), space, files, writer, reader, sources, pool, disk, mailbox);
        this.repeats = new RepeatedFiles(context, register, disposal, observers, this::newKey, runtime);
        this.references = new InPlaceUploads(context, births, register);
        this.loads = new LoadQueue(pool, reader, disk, mailbox, new DamagedContent(transfers, register, observers));
        this.cleaner = new JournalCleaner<>(
                journal,
                register.journalUse(),
                register::all,
                () -> List.of(new SpoolRecord.HighWater(lastNumber)),
                pool,
                in(Lane.JOURNAL),
                mailbox::post);
        this.timer = new FreeSpaceMonitor(files, runtime.disk());
    }

    /** The directory {@code data}. */
    static FragmentFiles contentFiles(Storage storage, Path node, BiConsumer<TransferKey, StorageException> failed) {
        return new FragmentFiles(
                storage,
                node.resolve(DATA),
                new FragmentFiles.Layout(key -> key.id().toString(), ".data", false),
                new ScratchBuffers(ScratchBuffers.READ_BYTES),
                failed);
    }

    /** Opens the directory and recovers. Blocks. */
    static SpoolParts open(
            Storage storage,
            Path directory,
            SpoolConfig config,
            FragmentBufferPool pool,
            Executor digests,
            Executor loop,
            StoreRuntime runtime)
            throws StorageException {
        KnownLog known = new KnownLog(storage, directory, JOURNAL, DATA);
        NodeDirectory node = NodeDirectory.open(storage, directory, () -> {
            known.check();
            return LogEpochReader.youngest(storage, known.directory());
        });
        try {
            return new SpoolParts(storage, node, config, pool, digests, loop, runtime);
        } catch (StorageException | RuntimeException e) {
            runtime.disk().close();
            runtime.events().end();
            node.close();
            throw e;
        }
    }

    private Executor in(Lane lane) {
        return task -> {
            if (!runtime.disk().execute(lane, task)) {
                LOG.atDebug().log("The spool is closed; what was still to be read is not");
            }
        };
    }

    private long recover(KnownLog known, OrphanGuard orphans, FragmentFiles files, SpoolSpace space, SpoolEvents events)
            throws StorageException {
        try {
            known.learn(journal.logId());
            known.storage().createPrivateDirectory(node.path().resolve(DATA));
            space.budget().measured(files.usableSpaceBytes());
            runtime.events().begin(journal.logId(), SpoolEvents.cause(journal.end()));
            long last = new SpoolRecovery(config, journal, files, register, space, orphans, events).recover();
            Optional<String> foreign = SpoolIdentityCheck.problem(node.path(), node.id(), register);
            if (foreign.isPresent()) {
                throw new CorruptRecordException(foreign.get());
            }
            return last;
        } catch (StorageException | RuntimeException e) {
            journal.close();
            throw e;
        }
    }

    /** Disk thread. */
    private void contentFailed(TransferKey key, StorageException cause) {
        LOG.atError()
                .addKeyValue("transfer", key)
                .setCause(cause)
                .log("The spool could not write a transfer's content; it is given up. Check the disk");
        if (!(cause instanceof OutOfSpaceException || cause instanceof CannotOpenNowException)) {
            mailbox.post(() -> storageFailed(cause));
        }
    }

    /** A disk that fails once is not asked again: the node ends, and the next start finds out what is there. */
    private void storageFailed(StorageException cause) {
        SpoolOutlet to = listener;
        if (to != null) {
            to.storageFailed(cause);
        }
    }

    private void journalFailed(StorageException cause) {
        failure = cause;
        LOG.atError().setCause(cause).log("The spool's journal failed; nothing more is accepted. Check the disk");
        storageFailed(cause);
        Refusal why = new Refusal(ErrorCode.STORAGE_FAILED, "The spool's disk failed: " + cause.getMessage());
        context.uploads().all().forEach(upload -> upload.fail(why));
    }

    /** The key of a new transfer, with an id that is sorted by time of birth. */
    TransferKey newKey() {
        TransferId id = TransferId.of(
                runtime.nowMillis(),
                runtime.random().nextLong(),
                runtime.random().nextLong());
        return new TransferKey(node.id(), id);
    }

    long nextNumber() {
        return ++lastNumber;
    }

    /** Leaves the number before it for a transfer that may have to go first. */
    long nextNumberButOne() {
        lastNumber++;
        return nextNumber();
    }

    /** The last number that was given to a transfer. */
    long lastNumber() {
        return lastNumber;
    }

    void setListener(SpoolOutlet to) {
        listener = to;
    }

    /** What killed the journal, or null. */
    @Nullable
    StorageException failure() {
        return failure;
    }

    /** Finishes what the disks have begun. Blocks. */
    @Override
    public void close() {
        writes.close();
        runtime.disk().close();
        journal.close();
        runtime.events().end();
        node.close();
    }
}
