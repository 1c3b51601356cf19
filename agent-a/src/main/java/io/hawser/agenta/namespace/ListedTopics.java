package io.hawser.agenta.namespace;

import io.hawser.core.model.Topic;
import io.hawser.store.spool.TopicsFile;
import io.hawser.store.storage.StorageException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The topics that the root directory lists: those that a client has used with success, also long ago. What the spool holds is not enough: it
 * forgets, and programs that mirror the root delete the whole local directory of a topic that is no longer listed. Each is durable before
 * a client sees it listed. Only an operator takes one away, from the file.
 *
 * <p>Bounded: of {@value #MAX_TOPICS} topics and one more the file says that there are too many, also after a restart.
 *
 * <p>Thread: the loop (the opening thread before). The file is written on a disk thread, one write at a time.
 */
public final class ListedTopics {
    /** So many topics the root directory lists. */
    public static final int MAX_TOPICS = 1_000;

    private static final Logger LOG = LoggerFactory.getLogger(ListedTopics.class);

    private final TopicsFile file;
    private final Executor disk;
    private final Executor loop;
    private final Set<Topic> durable;
    /** They were used, and are not written into the file: a write is under way, or has failed. */
    private final Set<Topic> unwritten = new LinkedHashSet<>();
    /** They wait for the end of the write that is under way. */
    private final List<Consumer<Optional<String>>> waiting = new ArrayList<>();

    private boolean writing;

    private ListedTopics(TopicsFile file, Executor disk, Executor loop) throws StorageException {
        this.file = file;
        this.disk = disk;
        this.loop = loop;
        this.durable = file.read();
    }

    /**
     * @param disk runs tasks that may block, one at a time
     * @param loop runs all else
     */
    public static ListedTopics open(TopicsFile file, Executor disk, Executor loop) throws StorageException {
        return new ListedTopics(file, disk, loop);
    }

    /** A client has used {@code topic} with success: it is listed from now on. */
    void used(Topic topic) {
        if (!durable.contains(topic) && !isTooMany() && unwritten.add(topic)) {
            write();
        }
    }

    /**
     * Answers, when all that was used is durable or cannot be written, why the root directory cannot be listed as a whole now; empty if it
     * can. It may answer inside the call.
     */
    void whenSettled(Consumer<Optional<String>> answer) {
        if (isTooMany() || unwritten.isEmpty()) {
            answer.accept(tooMany());
        } else {
            waiting.add(answer);
            write();
        }
    }

    private Optional<String> tooMany() {
        return isTooMany()
                ? Optional.of("more than " + MAX_TOPICS
                        + " topics have been used here, which is the limit of this listing; an"
                        + " operator can remove some, see docs/how-to/remove-a-topic.md; /TOPIC can be listed")
                : Optional.empty();
    }

    /** What the root directory lists, after {@link #whenSettled} has answered that nothing is missing. */
    Set<Topic> all() {
        return durable;
    }

    private boolean isTooMany() {
        return durable.size() + unwritten.size() > MAX_TOPICS;
    }

    /** Tries it anew with all of the file, so that nothing depends on what a failed try has left. */
    private void write() {
        if (writing) {
            return;
        }
        writing = true;
        Set<Topic> written = Set.copyOf(unwritten);
        Set<Topic> all = new LinkedHashSet<>(durable);
        all.addAll(unwritten);
        disk.execute(() -> {
            try {
                file.write(all);
                loop.execute(() -> wrote(written));
            } catch (StorageException e) {
                LOG.atError()
                        .setCause(e)
                        .addKeyValue("topics", written)
                        .log("the topics to list cannot be written down");
                loop.execute(this::failed);
            }
        });
    }

    private void wrote(Set<Topic> written) {
        writing = false;
        unwritten.stream().filter(written::contains).forEach(durable::add);
        unwritten.removeAll(written);
        if (unwritten.isEmpty()) {
            answer(tooMany());
        } else {
            write();
        }
    }

    private void failed() {
        writing = false;
        answer(Optional.of("agent-a cannot write down which topics to list; its log has the details"));
    }

    private void answer(Optional<String> lacking) {
        List<Consumer<Optional<String>>> answered = List.copyOf(waiting);
        waiting.clear();
        answered.forEach(each -> each.accept(lacking));
    }
}
