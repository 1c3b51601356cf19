package io.hawser.store.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.junit.jupiter.api.Test;

/** What is posted is run once, in its order, whatever the others do. */
class LoopMailboxTest {
    private final Queue<Runnable> loop = new ArrayDeque<>();
    private final LoopMailbox mailbox = new LoopMailbox(loop::add);
    private final List<String> done = new ArrayList<>();

    private void run() {
        for (Runnable task = loop.poll(); task != null; task = loop.poll()) {
            try {
                task.run();
            } catch (IllegalStateException e) {
                done.add(e.getMessage());
            }
        }
    }

    @Test
    void manyTogetherWakeTheLoopOnce() {
        mailbox.post(() -> done.add("one"));
        mailbox.post(() -> done.add("two"));

        assertThat(loop).hasSize(1);
        run();
        assertThat(done).containsExactly("one", "two");
    }

    @Test
    void whatStandsBehindATaskThatThrowsComesBeforeWhatIsPostedLater() {
        mailbox.post(() -> {
            mailbox.post(() -> done.add("later"));
            throw new IllegalStateException("thrown");
        });
        mailbox.post(() -> done.add("next"));

        run();

        assertThat(done).containsExactly("thrown", "next", "later");
    }

    @Test
    void aTaskThatThrowsAloneLosesNothing() {
        mailbox.post(() -> {
            throw new IllegalStateException("thrown");
        });
        run();
        mailbox.post(() -> done.add("another"));

        run();

        assertThat(done).containsExactly("thrown", "another");
    }
}
