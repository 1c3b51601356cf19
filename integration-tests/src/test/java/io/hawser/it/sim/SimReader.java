package io.hawser.it.sim;

import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Topic;
import io.hawser.core.remote.CallHandler;
import io.hawser.core.remote.CallTimeouts;
import io.hawser.core.remote.RemoteBlock;
import io.hawser.core.remote.RemoteCalls;
import io.hawser.core.remote.RemoteFile;
import io.hawser.core.remote.RemoteFiles;
import io.hawser.core.testkit.InvariantName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Clients that read files of the far end through a publisher's node: a look at what stands there, then its blocks, some of them at
 * once, all of that version. Whoever dies but the node itself, a read ends with its bytes, or with the reason why there are none.
 */
final class SimReader {
    private static final int HELD_BLOCKS = 3;
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final SimPublisher publisher;
    private final SimChain chain;
    private FragmentBufferPool memory;
    private RemoteCalls calls;
    private int unfinished;
    private int sessions;

    SimReader(SimPublisher publisher) {
        this.publisher = publisher;
        this.chain = publisher.chain;
        boot();
    }

    /** A new life of the node. */
    void boot() {
        memory = new FragmentBufferPool(chain.plan.bufferBytes(), HELD_BLOCKS);
        calls = new RemoteCalls(memory, memory, task -> publisher.post(0, task), () -> chain.scheduler.nowNanos());
        unfinished = 0;
    }

    CallHandler handler() {
        return calls.handler();
    }

    FragmentBufferPool memory() {
        return memory;
    }

    void sessionUp() {
        sessions++;
    }

    /** Whether all that was asked has ended. */
    boolean isIdle() {
        return unfinished == 0;
    }

    /** Reads what stands there. */
    void read(Topic topic, String path) {
        unfinished++;
        Reading reading = new Reading(topic, path, sessions);
        calls.stat(topic, path, CallTimeouts.whileAway(PATIENCE), reading::found);
    }

    /** One read. */
    private final class Reading {
        private final Topic topic;
        private final String path;
        private final int sessionsBefore;
        private @Nullable RemoteFile file;
        private byte[] content = {};
        private int asked;
        private int arrived;
        private int answers;
        private boolean over;
        private final List<RemoteFiles.Call> underWay = new ArrayList<>();

        Reading(Topic topic, String path, int sessionsBefore) {
            this.topic = topic;
            this.path = path;
            this.sessionsBefore = sessionsBefore;
        }

        void found(Outcome<RemoteFile> outcome) {
            if (outcome.isRefused()) {
                refused(outcome.refusal());
                return;
            }
            file = outcome.get();
            content = new byte[(int) file.sizeBytes()];
            goOn();
        }

        private void goOn() {
            RemoteFile wanted = Objects.requireNonNull(file);
            if (arrived == content.length) {
                over = true;
                unfinished--;
                chain.count(Fault.FILE_READ);
                if (sessions > sessionsBefore) {
                    chain.count(Fault.READ_OUTLIVED_A_SESSION);
                }
                chain.invariants.edges.read(wanted.fingerprint(), content);
                return;
            }
            int ahead = HELD_BLOCKS * chain.plan.fragmentSizeBytes;
            while (asked < content.length && asked - arrived < ahead) {
                int offset = asked;
                int length = Math.min(chain.plan.fragmentSizeBytes, content.length - offset);
                asked += length;
                underWay.add(calls.read(
                        topic,
                        path,
                        wanted.fingerprint(),
                        offset,
                        length,
                        PATIENCE,
                        block -> arrived(offset, length, block)));
            }
            if (chain.strikes(Fault.READ_GIVEN_UP, 5)) {
                end();
            }
        }

        private void end() {
            over = true;
            unfinished--;
            underWay.forEach(RemoteFiles.Call::cancel);
        }

        private void arrived(int offset, int length, Outcome<RemoteBlock> outcome) {
            answers++;
            Invariants.check(
                    !over && answers <= underWay.size(),
                    InvariantName.HONEST_ANSWERS,
                    "a read is answered twice, or after it was given up",
                    path + " at " + offset);
            if (outcome.isRefused()) {
                refused(outcome.refusal());
                return;
            }
            RemoteBlock block = outcome.get();
            publisher.post(chain.quick(), () -> {
                block.buffer().payload(0, length).get(content, offset, length);
                block.buffer().release();
                arrived += length;
                if (!over) {
                    goOn();
                }
            });
        }

        private void refused(@Nullable Refusal refusal) {
            end();
            ErrorCode code = Objects.requireNonNull(refusal).code();
            if (code == ErrorCode.SOURCE_CHANGED || (code == ErrorCode.NOT_FOUND && file != null)) {
                chain.count(Fault.FILE_CHANGED_WHILE_READ);
            }
            chain.invariants.edges.notRead(topic, path, refusal);
        }
    }
}
