package io.hawser.store.spool;

import static io.hawser.store.spool.SpoolFixture.bytes;
import static io.hawser.store.spool.SpoolFixture.tiny;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.hop.Outcome;
import io.hawser.core.model.Commit;
import io.hawser.core.model.FragmentRange;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.TransferKey;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.store.storage.CorruptRecordException;
import io.hawser.store.storage.StorageException;
import io.hawser.store.testkit.FaultyStorage;
import io.hawser.store.testkit.FaultyStorage.Fault;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The spool's process dies, or its power is cut, at every call that changes the disk. Whatever it had announced or answered
 * must be there afterwards, byte for byte.
 */
@Invariant({InvariantName.DURABLE_ACK, InvariantName.IMMUTABLE, InvariantName.NO_FORGET, InvariantName.FAIL_STOP})
class SpoolCrashTest {
    private static final Path DIRECTORY = Path.of("/spool");
    private static final int FRAGMENT = UploadRequest.MIN_FRAGMENT_SIZE_BYTES;
    private static final int MAX_CALLS = 400;

    /** Every how many calls to the disk the sweeps visit; {@code -Dhawser.sweep.stride=1} visits all. */
    private static final int STRIDE = Integer.getInteger("hawser.sweep.stride", 3);

    /** What the world outside was told in one life. */
    private static final class Told {
        final Map<String, byte[]> content = new HashMap<>();
        final Map<TransferKey, Commit> commits = new HashMap<>();
        final List<Receipt> receipts = new ArrayList<>();
        final List<TransferKey> brokered = new ArrayList<>();
        final List<TransferKey> cancelAsked = new ArrayList<>();
        Map<TransferKey, RecordingListener.Announced> announced = Map.of();
        long lastNumber;

        byte[] contentOf(String name) {
            return Objects.requireNonNull(content.get(name));
        }
    }

    @Test
    void nothingThatWasAnnouncedIsLostByAPowerCut() throws Exception {
        for (int seed = 1; seed <= 3; seed++) {
            int factor = seed;
            assertThat(sweep(Fault.EIO, true, seed, (storage, number) -> storage.powerCut(number * 31L * factor)))
                    .isGreaterThan(40);
        }
    }

    @Test
    void nothingThatWasAnnouncedIsLostByAKill() throws Exception {
        int runs = sweep(Fault.EIO, true, 0, (storage, number) -> storage.kill());

        assertThat(runs).isGreaterThan(40);
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void nothingThatWasAnnouncedIsLostWhenACallFailsOnceOrFromThenOn(Fault fault) throws Exception {
        for (boolean sticky : new boolean[] {false, true}) {
            assertThat(sweep(
                            fault,
                            sticky,
                            fault.name().length() + (sticky ? 1 : 0),
                            (storage, number) -> storage.powerCut(number * 37L)))
                    .as("calls of the story, sticky %s", sticky)
                    .isGreaterThan(40);
        }
    }

    /** What an earlier life left in the middle of the story, or at its end, is met by a disk that fails while it is read again. */
    @ParameterizedTest
    @ValueSource(ints = {35, 62, MAX_CALLS})
    void nothingThatWasAnnouncedIsLostWhenACallOfAStartFails(int endOfTheFirst) throws Exception {
        int offset = 0;
        for (boolean sticky : new boolean[] {false, true}) {
            assertThat(sweepStart(endOfTheFirst, null, sticky, offset++))
                    .as("calls that look")
                    .isGreaterThan(10);
            for (Fault fault : Fault.values()) {
                assertThat(sweepStart(endOfTheFirst, fault, sticky, offset++))
                        .as("calls that change")
                        .isGreaterThan(3);
            }
        }
    }

    /** @param fault null for a call that only looks */
    private static int sweepStart(int endOfTheFirst, @Nullable Fault fault, boolean sticky, int begin)
            throws Exception {
        boolean reached = true;
        int number = 1 + begin % STRIDE;
        for (; reached; number += STRIDE) {
            String when = (fault == null ? "look" : fault.name()) + (sticky ? " from " : " at ") + number
                    + " of the start behind call " + endOfTheFirst;
            FaultyStorage storage = new FaultyStorage();
            Told told = new Told();
            storage.failCall(endOfTheFirst, Fault.EIO, true);
            live(storage, told);
            storage.heal();
            storage.powerCut(endOfTheFirst);
            long before = fault == null ? storage.looks() : storage.calls();
            if (fault == null) {
                storage.failLook(number, sticky);
            } else {
                storage.failCall(number, fault, sticky);
            }
            startAndLook(storage, told, when);
            reached = (fault == null ? storage.looks() : storage.calls()) >= before + number;
            storage.heal();
            if (number % 2 == 0) {
                storage.powerCut(number);
            } else {
                storage.kill();
            }
            checkAfter(storage, told, when);
        }
        return number;
    }

    /** What it loads is right, or it is refused. */
    private static void startAndLook(FaultyStorage storage, Told told, String when) {
        try (SpoolFixture it = new SpoolFixture(storage, DIRECTORY, SpoolFixture.config(), 8).started()) {
            it.onLoop(() -> List.copyOf(it.listener.transfers.entrySet())).forEach(entry -> {
                byte[] content = told.contentOf(entry.getValue().manifest.name());
                for (FragmentRange run : entry.getValue().available.runs()) {
                    for (long index = run.start(); index < run.end(); index++) {
                        Outcome<byte[]> loaded = it.load(entry.getKey(), index);
                        int from = (int) index * FRAGMENT;
                        int to = Math.min(from + FRAGMENT, content.length);
                        if (!loaded.isRefused()) {
                            assertThat(loaded.get()).as(when).isEqualTo(Arrays.copyOfRange(content, from, to));
                        }
                    }
                }
            });
        } catch (StorageException refused) {
            assertThat(refused).as(when).isNotInstanceOf(CorruptRecordException.class);
        }
    }

    private interface Death {
        void of(FaultyStorage storage, int number);
    }

    /**
     * Lets the world end at every {@link #STRIDE}th call in turn, until the story ends before it; several sweeps begin at several
     * calls. Returns at which call it ended.
     */
    private static int sweep(Fault fault, boolean sticky, int begin, Death death) throws Exception {
        for (int number = 1 + begin % STRIDE; number < MAX_CALLS; number += STRIDE) {
            FaultyStorage storage = new FaultyStorage();
            Told told = new Told();
            storage.failCall(number, fault, sticky);
            long calls = storage.calls();
            boolean finished = live(storage, told);
            boolean reached = storage.calls() >= calls + number;
            storage.heal();
            death.of(storage, number);
            checkAfter(storage, told, fault + (sticky ? " from" : " at") + " call " + number);
            if (finished && !reached) {
                return number;
            }
        }
        throw new AssertionError("the story does not end");
    }

    /** One life. Returns whether it came to its end undisturbed. */
    private static boolean live(FaultyStorage storage, Told told) {
        SpoolFixture it;
        try {
            it = new SpoolFixture(storage, DIRECTORY, SpoolFixture.config(), 8);
        } catch (StorageException e) {
            return false;
        }
        boolean finished;
        try (it) {
            it.started();
            finished = story(it, told);
        }
        it.listener.transfers.forEach(
                (key, announced) -> told.lastNumber = Math.max(told.lastNumber, announced.manifest.number()));
        told.announced = it.listener.transfers;
        return finished;
    }

    private static boolean story(SpoolFixture it, Told told) {
        return send(it, told, "small/1", bytes(900, 1))
                && send(it, told, "small/0", bytes(0, 2))
                && upload(it, told, "large", bytes(5 * FRAGMENT + 77, 3))
                && breakOff(it, told, "broken", bytes(3 * FRAGMENT + 50, 4))
                && brokered(it, told, "large")
                && receipt(it, told, "large", "one", ReceiptStatus.DELIVERED)
                && goOn(it, told, "broken", bytes(6 * FRAGMENT, 4))
                && cancel(it, told, "small/1")
                && send(it, told, "small/2", bytes(2000, 5))
                && brokered(it, told, "small/2")
                && receipt(it, told, "small/2", "one", ReceiptStatus.LANDED)
                && receipt(it, told, "small/2", "one", ReceiptStatus.DELIVERED);
    }

    private static boolean send(SpoolFixture it, Told told, String name, byte[] bytes) {
        told.content.put(name, bytes);
        Answer<Commit> answer = new Answer<>();
        Outcome<TransferKey> key = it.onLoop(() -> it.spool.sendSmall(tiny(name), ByteBuffer.wrap(bytes), answer));
        if (key.isRefused() || answer.outcome().isRefused()) {
            return false;
        }
        told.commits.put(key.get(), answer.value());
        return true;
    }

    private static boolean upload(SpoolFixture it, Told told, String name, byte[] bytes) {
        told.content.put(name, bytes);
        Outcome<Upload> upload = it.onLoop(() -> it.spool.begin(tiny(name)));
        return !upload.isRefused() && finish(it, told, upload.get(), bytes, 0);
    }

    private static boolean finish(SpoolFixture it, Told told, Upload upload, byte[] bytes, int from) {
        it.write(upload, bytes, from);
        Outcome<Commit> commit = it.finish(upload, bytes.length);
        if (!commit.isRefused()) {
            told.commits.put(upload.key(), commit.get());
        }
        return !commit.isRefused();
    }

    private static boolean breakOff(SpoolFixture it, Told told, String name, byte[] bytes) {
        told.content.put(name, bytes);
        Outcome<Upload> begun = it.onLoop(() -> it.spool.begin(tiny(name)));
        if (begun.isRefused()) {
            return false;
        }
        it.write(begun.get(), Arrays.copyOf(bytes, bytes.length / FRAGMENT * FRAGMENT), 0);
        putTheEndAside(it, begun.get(), bytes);
        it.run(() -> begun.get().abandon("gone"));
        return settles(it, begun.get().key(), SpoolPhase.INCOMPLETE);
    }

    /** As an upload does that others need the memory of. */
    private static void putTheEndAside(SpoolFixture it, Upload upload, byte[] bytes) {
        int index = bytes.length / FRAGMENT;
        int length = bytes.length % FRAGMENT;
        FragmentBuffer buffer = it.acquire();
        buffer.payload(0, length).put(bytes, index * FRAGMENT, length);
        Answer<Long> parked = new Answer<>();
        it.run(() -> upload.park(index, buffer, 0, FragmentBuffer.roundUp(length), parked));
        boolean refused = parked.outcome().isRefused();
        buffer.release();
        if (!refused) {
            it.run(() -> upload.writeParked(index, length, new Answer<>()));
        }
    }

    private static boolean goOn(SpoolFixture it, Told told, String name, byte[] bytes) {
        TransferKey key = it.keyOf(name);
        byte[] whole = bytes.clone();
        byte[] before = told.contentOf(name);
        System.arraycopy(before, 0, whole, 0, before.length);
        told.content.put(name, whole);
        Outcome<Upload> resumed = it.onLoop(() -> it.spool.resume(key));
        return !resumed.isRefused()
                && finish(it, told, resumed.get(), whole, (int) resumed.get().resumePositionBytes());
    }

    private static boolean brokered(SpoolFixture it, Told told, String name) {
        TransferKey key = it.keyOf(name);
        told.brokered.add(key);
        it.run(() -> it.spool.committed(key, List.of("one")));
        return settles(it, key, SpoolPhase.BROKERED);
    }

    private static boolean receipt(SpoolFixture it, Told told, String name, String who, ReceiptStatus status) {
        Receipt receipt = new Receipt(it.keyOf(name), who, status, "", 9);
        Answer<Boolean> durable = new Answer<>();
        it.run(() -> it.spool.receipt(receipt, () -> durable.accept(Outcome.of(true))));
        boolean done = until(it, durable::isThere);
        if (done) {
            told.receipts.add(receipt);
        }
        return done;
    }

    private static boolean cancel(SpoolFixture it, Told told, String name) {
        TransferKey key = it.keyOf(name);
        told.cancelAsked.add(key);
        it.run(() -> it.spool.cancel(key, "not wanted"));
        return settles(it, key, SpoolPhase.CANCELLED);
    }

    private static boolean settles(SpoolFixture it, TransferKey key, SpoolPhase phase) {
        // What a full disk has no room for is refused, and is then cancelled instead.
        return until(it, () -> phase(it, key) == phase || phase(it, key) == SpoolPhase.CANCELLED)
                && phase(it, key) == phase;
    }

    private static SpoolPhase phase(SpoolFixture it, TransferKey key) {
        return it.onLoop(() -> it.spool.state(key).orElseThrow().phase());
    }

    /** Waits for the condition, or for the disk to have failed. */
    private static boolean until(SpoolFixture it, Callable<Boolean> condition) {
        await().until(() -> condition.call()
                || it.onLoop(() -> it.listener.failure != null)
                || it.onLoop(() -> it.spool.usage().stalledUploads() > 0));
        try {
            return condition.call();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private static void checkAfter(FaultyStorage storage, Told told, String when) throws Exception {
        try (SpoolFixture it = new SpoolFixture(storage, DIRECTORY, SpoolFixture.config(), 8).started()) {
            told.announced.forEach((key, before) -> {
                if (!told.brokered.contains(key) && !told.cancelAsked.contains(key) && before.cancelled == null) {
                    checkThere(it, told, key, before, when);
                }
            });
            told.commits.forEach((key, commit) -> {
                if (!told.brokered.contains(key) && !told.cancelAsked.contains(key)) {
                    assertThat(it.listener.of(key).commit).as(when).isEqualTo(commit);
                }
            });
            for (Receipt receipt : told.receipts) {
                it.onLoop(() -> it.spool.state(receipt.key())).ifPresent(state -> assertThat(state.receipts())
                        .as(when)
                        .anyMatch(known -> known.subscription().equals(receipt.subscription())));
            }
            Answer<Commit> next = it.sendSmall("next", bytes(1, 1));
            next.value();
            assertThat(it.state(it.keyOf("next")).manifest().number()).as(when).isGreaterThan(told.lastNumber);
        }
    }

    private static void checkThere(
            SpoolFixture it, Told told, TransferKey key, RecordingListener.Announced before, String when) {
        assertThat(it.listener.transfers).as(when).containsKey(key);
        RecordingListener.Announced after = it.listener.of(key);
        if (after.cancelled != null) {
            assertThat(told.commits).as(when).doesNotContainKey(key); // its own upload failed, and said so
            return;
        }
        byte[] content = told.contentOf(before.manifest.name());
        for (FragmentRange run : before.available.runs()) {
            for (long index = run.start(); index < run.end(); index++) {
                int from = (int) index * FRAGMENT;
                assertThat(it.load(key, index).get())
                        .as("%s: fragment %d of %s", when, index, before.manifest.name())
                        .isEqualTo(Arrays.copyOfRange(content, from, Math.min(from + FRAGMENT, content.length)));
            }
        }
    }
}
