package io.hawser.agenta.ftp;

import io.hawser.common.model.Topic;
import io.hawser.common.spool.TopicsFile;
import io.hawser.common.storage.StorageException;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The topics that the root directory lists: those that a client has used with success, also long ago. What the spool holds is not enough: it
 * forgets, and programs that mirror the root delete the whole local directory of a topic that is no longer listed. Each is durable before
 * a client sees it listed. Only an operator takes one away, from the file.
 *
 * <p>Bounded: of {@value #MAX_TOPICS} topics and one more the file says that there are too many, also after a restart.
 *
 * <p>Thread: the loop (the opening thread before). The file is forced on the loop, once for each topic.
 */
public final class ListedTopics {
    /** So many topics the root directory lists. */
    static final int MAX_TOPICS = 1_000;

    private static final Logger LOG = LoggerFactory.getLogger(ListedTopics.class);

    private final TopicsFile file;
    private final Set<Topic> durable;
    /** They were used, and could not be written into the file. */
    private final Set<Topic> unwritten = new LinkedHashSet<>();

    private ListedTopics(TopicsFile file) throws StorageException {
        this.file = file;
        this.durable = file.read();
    }

    /** Reads the file. */
    public static ListedTopics open(TopicsFile file) throws StorageException {
        return new ListedTopics(file);
    }

    /** A client has used {@code topic} with success: it is listed from now on. */
    void used(Topic topic) {
        if (!durable.contains(topic) && !isTooMany() && unwritten.add(topic)) {
            write();
        }
    }

    /** Why the root directory cannot be listed as a whole now; empty if it can. */
    Optional<String> lacking() {
        if (isTooMany()) {
            return Optional.of(
                    "more than " + MAX_TOPICS + " topics have been used here, which is the limit of this listing; an"
                            + " operator can remove some, see docs/operations.md; /TOPIC can be listed");
        }
        return unwritten.isEmpty() || write()
                ? Optional.empty()
                : Optional.of("agent-a cannot write down which topics to list; its log has the details");
    }

    /** What the root directory lists, if nothing is {@link #lacking}. */
    Set<Topic> all() {
        return durable;
    }

    private boolean isTooMany() {
        return durable.size() + unwritten.size() > MAX_TOPICS;
    }

    /** Tries it anew with all of the file, so that nothing depends on what a failed try has left. */
    private boolean write() {
        Set<Topic> all = new LinkedHashSet<>(durable);
        all.addAll(unwritten);
        try {
            file.write(all);
        } catch (StorageException e) {
            LOG.atError().setCause(e).addKeyValue("topics", unwritten).log("the topics to list cannot be written down");
            return false;
        }
        durable.addAll(unwritten);
        unwritten.clear();
        return true;
    }
}
