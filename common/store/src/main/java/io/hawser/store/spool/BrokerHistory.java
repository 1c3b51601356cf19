package io.hawser.store.spool;

import io.hawser.core.model.NodeId;
import io.hawser.store.storage.CorruptRecordException;
import io.hawser.store.storage.LineFile;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.StorageException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which broker has had the spool's transfers, in the file {@code brokers}: a line for each change, with the broker's node id and the number of
 * the last transfer before it (0 for the first broker). What another broker has had is none of this one's business.
 *
 * <p>Thread: the loop (the opening thread before). A line is forced on the loop, once for each change.
 */
final class BrokerHistory {
    private static final Logger LOG = LoggerFactory.getLogger(BrokerHistory.class);
    static final String FILE = "brokers";

    private final LineFile file;
    private @Nullable NodeId current;
    private long lastBefore;
    private boolean isFirst = true;

    private BrokerHistory(LineFile file) {
        this.file = file;
    }

    static Path path(Path directory) {
        return directory.resolve(FILE);
    }

    static BrokerHistory open(Storage storage, Path directory) throws StorageException {
        Path path = path(directory);
        BrokerHistory used = new BrokerHistory(new LineFile(storage, path));
        List<String> lines = used.file.read();
        used.isFirst = lines.isEmpty();
        if (!lines.isEmpty()) {
            String last = lines.get(lines.size() - 1);
            int space = last.indexOf(' ');
            try {
                used.current = NodeId.parse(last.substring(0, Math.max(0, space)));
                used.lastBefore = Long.parseLong(last.substring(space + 1));
            } catch (IllegalArgumentException e) {
                throw new CorruptRecordException(path + " has a line that is not NODE NUMBER: " + last, e);
            }
        }
        return used;
    }

    /** A session with that broker begins; {@code lastNumber} is the last that was given to a transfer. */
    void connected(NodeId broker, long lastNumber) {
        if (broker.equals(current)) {
            return;
        }
        long before = isFirst ? 0 : lastNumber;
        try {
            file.append(broker + " " + before);
            current = broker;
            lastBefore = before;
            isFirst = false;
        } catch (StorageException e) {
            LOG.atError().setCause(e).addKeyValue("broker", broker).log("The spool cannot note which broker it uses");
            current = null;
        }
    }

    /** Whether the transfer of that number went to that broker and to no other before. */
    boolean hasOnly(NodeId broker, long number) {
        return broker.equals(current) && number > lastBefore;
    }
}
