package io.hawser.store.spool;

import io.hawser.core.model.NodeId;
import io.hawser.core.model.TransferKey;
import io.hawser.store.check.CheckContext;
import io.hawser.store.check.DirectoryCheck;
import io.hawser.store.check.Findings;
import io.hawser.store.check.NodeFiles;
import io.hawser.store.content.FragmentFiles;
import io.hawser.store.log.KnownLog;
import io.hawser.store.log.LogCheck;
import io.hawser.store.storage.LineFile;
import io.hawser.store.storage.NodeDirectory;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The spool of an agent-a or of the Java API: the journal, and the content files against it.
 *
 * <p>Thread: one at a time.
 */
public final class SpoolCheck implements DirectoryCheck {
    private static final SpoolConfig.Bounds NOTHING_ENDED = new SpoolConfig.Bounds(1, 0, 0);

    @Override
    public String kind() {
        return "spool";
    }

    @Override
    public boolean recognises(Storage storage, Path directory) throws StorageException {
        List<String> names = storage.list(directory);
        boolean isNode = NodeDirectory.isOne(storage, directory);
        return (names.contains(SpoolParts.DATA) && (isNode || names.contains(SpoolParts.JOURNAL)))
                || (names.contains(BrokerHistory.FILE) && isNode);
    }

    @Override
    public void check(CheckContext context) throws StorageException {
        Findings findings = context.findings();
        TransferRegister register = new TransferRegister(NOTHING_ENDED, () -> 0);
        SpoolRecordApplier fold = new SpoolRecordApplier(register, null);
        KnownLog known = new KnownLog(context.storage(), context.directory(), SpoolParts.JOURNAL, SpoolParts.DATA);
        LogCheck journal = new LogCheck(context, known);
        journal.run(
                record -> fold.apply(SpoolRecordKinds.KINDS.decode(record), record.position(), record.lengthBytes()));
        FragmentFiles files =
                SpoolParts.contentFiles(context.storage(), context.directory(), (transfer, failure) -> {});
        ContentCheck contents = new ContentCheck(context, files);
        Set<TransferKey> withFiles = new HashSet<>();
        for (SpoolTransfer transfer : register.byNumber()) {
            if (transfer.hasLeaves() && mayHaveContent(transfer)) {
                withFiles.add(transfer.key());
                contents.check(transfer);
            }
        }
        findings.counted("transfers", register.all().size());
        identity(context, register);
        for (String name : files.orphans(withFiles)) {
            Path path = context.directory().resolve(SpoolParts.DATA).resolve(name);
            findings.note(
                    "spool.orphan",
                    path,
                    NodeFiles.sizeOf(context.storage(), path),
                    "No transfer in the journal needs this file.",
                    journal.fateOfOrphans());
        }
        TopicsFile topics = new TopicsFile(context.storage(), context.directory());
        NodeFiles.lines(context, "spool.topics", topics.path(), topics::read);
        Path brokers = BrokerHistory.path(context.directory());
        NodeFiles.lines(context, "spool.brokers", brokers, new LineFile(context.storage(), brokers)::look);
        BrokerAddressFile destination = new BrokerAddressFile(context.storage(), context.directory());
        NodeFiles.lines(context, "spool.destination", destination.path(), destination::read);
    }

    private static void identity(CheckContext context, TransferRegister register) {
        NodeId id;
        try {
            id = NodeDirectory.storedId(context.storage(), context.directory());
        } catch (StorageException e) {
            return; // NodeFiles has told of it
        }
        SpoolIdentityCheck.problem(context.directory(), id, register).ifPresent(problem -> context.findings()
                .damage(
                        "spool.identity",
                        context.directory().resolve("node.id"),
                        0,
                        problem + ".",
                        "Write the id of the transfers into the file, or restore it from a backup."));
    }

    private static boolean mayHaveContent(SpoolTransfer transfer) {
        return transfer.phase() != SpoolPhase.CANCELLED && transfer.phase() != SpoolPhase.FINISHED;
    }
}
