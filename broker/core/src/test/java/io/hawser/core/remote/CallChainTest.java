package io.hawser.core.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.broker.relay.*;
import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.integrity.Crc32c;
import io.hawser.core.model.Topic;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Two askers, the relay and two far ends in virtual time: sessions die, streams are lost, bits flip, callers give up, from a
 * seed. Every call that is not cancelled ends once, with the right bytes, and all memory comes back.
 */
class CallChainTest {
    private static final Topic TOPIC = new Topic("site-b");
    private static final RemoteFile FILE = new RemoteFile("f", RemoteFile.Kind.FILE, 1 << 20, 0, 0644, "v1");
    private static final int BLOCK = 16;
    private static final int CALLS = 120;
    private static final Duration PATIENCE = Duration.ofHours(1);

    static LongStream seeds() {
        return LongStream.rangeClosed(1, Long.getLong("hawser.seeds", 200));
    }

    /** One run. */
    private static final class Run {
        final Random random;
        final Queue<Runnable> posted = new ArrayDeque<>();
        final FragmentBufferPool relayMemory = new FragmentBufferPool(BLOCK, 3);
        final CallRelay relay = new CallRelay(relayMemory, posted::add, topic -> true);
        final List<FragmentBufferPool> nearMemory =
                List.of(new FragmentBufferPool(BLOCK, 4), new FragmentBufferPool(BLOCK, 5));
        final List<RemoteCalls> near = new ArrayList<>();
        final List<SimulatedLink> nearLinks = new ArrayList<>();
        final List<SimulatedLink> farLinks = new ArrayList<>();
        final List<Answers> far = List.of(new Answers(), new Answers());
        final List<RemoteBlock> held = new ArrayList<>();
        final Map<Integer, Integer> ended = new HashMap<>();
        final Map<Integer, RemoteFiles.Call> open = new HashMap<>();
        final List<Integer> cancelled = new ArrayList<>();
        long now;
        int asked;

        Run(long seed) {
            random = new Random(seed);
            for (FragmentBufferPool memory : nearMemory) {
                near.add(new RemoteCalls(memory, memory, posted::add, () -> now));
            }
        }

        void connect() {
            for (int i = nearLinks.size(); i < near.size(); i++) {
                nearLinks.add(nearSession(i));
            }
            for (int i = farLinks.size(); i < far.size(); i++) {
                farLinks.add(farSession(i));
            }
        }

        private SimulatedLink nearSession(int i) {
            SimulatedLink link = SimulatedLink.between(near.get(i).handler(), relay, random);
            relay.admit(link.peer(), new UnlimitedCalls(), (topic, question) -> null);
            return link;
        }

        private SimulatedLink farSession(int i) {
            SimulatedLink link = SimulatedLink.between(far.get(i), relay, random);
            relay.connected("far-" + i, TOPIC, new CallServerCandidate(ServingMode.SERVES, true, 0), link.peer());
            return link;
        }

        void ask() {
            int number = asked++;
            RemoteCalls from = near.get(random.nextInt(near.size()));
            if (random.nextInt(4) == 0) {
                from.stat(TOPIC, "f", CallTimeouts.whileAway(PATIENCE), outcome -> {
                    assertThat(outcome.get()).isEqualTo(FILE);
                    ended.merge(number, 1, Integer::sum);
                });
                return;
            }
            open.put(number, from.read(TOPIC, "f", "", (long) number * BLOCK, BLOCK, PATIENCE, outcome -> {
                ended.merge(number, 1, Integer::sum);
                open.remove(number);
                check(number, outcome);
            }));
        }

        private void check(int number, Outcome<RemoteBlock> outcome) {
            RemoteBlock block = outcome.get();
            assertThat(block.buffer().payload(0, block.length()))
                    .isEqualTo(ByteBuffer.wrap(bytesAt((long) number * BLOCK)));
            held.add(block);
        }

        void step(boolean faults) {
            int dice = random.nextInt(100);
            if (dice < 40) {
                nearLinks.get(random.nextInt(nearLinks.size())).deliver();
            } else if (dice < 75) {
                farLinks.get(random.nextInt(farLinks.size())).deliver();
            } else if (dice < 85) {
                run();
            } else if (dice < 90 && !held.isEmpty()) {
                held.remove(random.nextInt(held.size())).buffer().release();
            } else if (dice < 93 && asked < CALLS) {
                ask();
            } else if (dice < 97) {
                tick();
            } else if (faults && dice == 97) {
                killNear();
            } else if (faults && dice == 98) {
                killFar();
            } else if (faults && !open.isEmpty()) {
                int number = open.keySet().iterator().next();
                cancelled.add(number);
                open.remove(number).cancel();
            }
        }

        /** The new session is up at once; what was on its way is lost. */
        private void killNear() {
            int i = random.nextInt(near.size());
            nearLinks.get(i).die();
            nearLinks.set(i, nearSession(i));
        }

        private void killFar() {
            int i = random.nextInt(far.size());
            farLinks.get(i).die();
            farLinks.set(i, farSession(i));
        }

        void run() {
            while (!posted.isEmpty()) {
                posted.remove().run();
            }
        }

        private void tick() {
            now += Duration.ofMillis(100).toNanos();
            near.forEach(each -> each.handler().tick(now));
        }

        boolean isDone() {
            return asked == CALLS && ended.size() + cancelled.size() == CALLS && held.isEmpty();
        }
    }

    private static byte[] bytesAt(long offset) {
        byte[] bytes = new byte[BLOCK];
        new Random(offset).nextBytes(bytes);
        return bytes;
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void everyCallEndsOnceWithItsBytesAndAllMemoryComesBack(long seed) {
        Run run = new Run(seed);
        run.connect();
        for (int i = 0; i < 4000; i++) {
            run.step(true);
        }
        for (int i = 0; !run.isDone(); i++) {
            run.step(false);
            assertThat(i).as("it comes to an end").isLessThan(200_000);
        }
        for (int i = 0; i < 1000; i++) {
            run.step(false); // what was cancelled last
        }
        run.run();

        assertThat(run.ended.values()).containsOnly(1);
        assertThat(run.ended.keySet()).doesNotContainAnyElementsOf(run.cancelled);
        assertThat(run.relay.underWay() + run.relay.waiting()).isZero();
        assertThat(run.relayMemory.available()).isEqualTo(run.relayMemory.capacity());
        assertThat(run.nearMemory)
                .allSatisfy(memory -> assertThat(memory.available()).isEqualTo(memory.capacity()));
    }

    /** A far end that answers at once, from what a block's offset says. */
    private static class Answers implements CallHandler {
        private final FragmentBufferPool memory = new FragmentBufferPool(BLOCK, 1);

        @Override
        public void onAsked(CallLink link, long call, Topic topic, Question question) {
            if (question instanceof Question.Read read) {
                FragmentBuffer buffer = memory.tryAcquire();
                buffer.payload(0, BLOCK).put(bytesAt(read.offset()));
                link.answer(call, new Answer.OfBlock(FILE), buffer, BLOCK, Crc32c.of(buffer.payload(0, BLOCK)));
                buffer.release();
            } else {
                link.answer(call, new Answer.OfFile(FILE));
            }
        }

        @Override
        public void onUp(CallLink link) {}

        @Override
        public void onDown(CallLink link) {}

        @Override
        public void onCancelled(CallLink link, long call) {}

        @Override
        public void onRefused(CallLink link, long call, Refusal refusal) {}

        @Override
        public void onAnswered(CallLink link, long call, Answer answer) {}

        @Override
        public @Nullable FragmentBuffer memoryFor(CallLink link, long call, int length) {
            return null;
        }

        @Override
        public void onAnswered(CallLink link, long call, Answer answer, FragmentBuffer buffer, int length, int crc) {}

        @Override
        public void tick(long nowNanos) {}
    }
}
