package io.hawser.it.sim;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Attributes;
import io.hawser.core.model.Commit;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import io.hawser.core.testkit.SampleTransfer;
import io.hawser.store.spool.SpoolPhase;
import io.hawser.store.spool.TransferSnapshot;
import io.hawser.store.spool.Upload;
import io.hawser.store.spool.UploadRequest;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * A client with one object: it begins, sends one fragment after the other, may go away at any of them, and comes back, also after its publisher
 * has died. It is over when the object is accepted or given up.
 */
final class SimUpload {
    /** What the client wants. */
    record Wish(TransferKind kind, String path, String target, Topic topic, int sizeBytes, boolean sizeKnown) {
        List<String> touched() {
            return target.isEmpty() ? List.of(path) : List.of(path, target);
        }

        Map<String, String> attributes() {
            return kind == TransferKind.RENAME ? Map.of(Attributes.RENAMED_TO, target) : Map.of();
        }
    }

    private final SimPublisher publisher;
    private final SimChain chain;
    private final Wish wish;
    private final byte[] content;
    private @Nullable SampleTransfer sample;
    private @Nullable Upload upload;
    private boolean over;
    /** Where that bug is planted: what is still to come is of another version of the source. */
    private boolean isOtherVersion;

    SimUpload(SimPublisher publisher, Wish wish) {
        this.publisher = publisher;
        this.chain = publisher.chain;
        this.wish = wish;
        this.content = new byte[wish.sizeBytes];
        if (chain.plan.repeats()) {
            new SplittableRandom(wish.sizeBytes).nextBytes(content);
        } else {
            chain.random.nextBytes(content);
        }
    }

    Wish wish() {
        return wish;
    }

    boolean isOver() {
        return over;
    }

    /** Its key; null before it has begun. */
    @Nullable
    TransferKey key() {
        return sample == null ? null : sample.key();
    }

    // --- the beginning

    /** Begins, or tries again later. */
    void begin() {
        UploadRequest request = new UploadRequest(
                wish.topic,
                wish.kind,
                wish.path,
                chain.plan.bug == PlantedBug.PATHS_LEFT_OUT ? List.of() : wish.touched(),
                wish.sizeKnown ? wish.sizeBytes : Manifest.UNKNOWN_SIZE,
                chain.plan.fragmentSizeBytes,
                chain.plan.repeats() ? Map.of(Attributes.ACCOUNT, "ann") : wish.attributes(),
                UploadRequest.Keyed.NONE);
        if (!wish.kind.hasBytes()) {
            sendWhole(request);
            return;
        }
        List<SimUpload> incomplete = publisher.incomplete(wish);
        Outcome<Upload> begun = publisher.spool().begin(request);
        incomplete.forEach(SimUpload::supersededIfGone);
        if (begun.isRefused()) {
            later(this::begin);
            return;
        }
        upload = begun.get();
        made(upload.manifest());
        send(0);
    }

    private void made(Manifest manifest) {
        SampleTransfer made = SampleTransfer.of(manifest, content);
        sample = made;
        chain.truth(made, wish.touched());
        publisher.began(this);
    }

    private void sendWhole(UploadRequest request) {
        Outcome<TransferKey> begun = publisher
                .spool()
                .sendSmall(request.withSize(0), ByteBuffer.allocate(0), outcome -> {
                    Refusal refusal = outcome.refusal();
                    if (refusal == null) {
                        accepted();
                    } else {
                        giveUp();
                    }
                });
        if (begun.isRefused()) {
            later(this::begin);
        } else {
            made(publisher.spool().state(begun.get()).orElseThrow().manifest());
        }
    }

    private void later(Runnable again) {
        publisher.post(50 * Plan.MILLIS, again);
    }

    private SampleTransfer sample() {
        SampleTransfer made = sample;
        if (made == null) {
            throw new IllegalStateException("not begun");
        }
        return made;
    }

    // --- the bytes

    private void send(int index) {
        Upload current = upload;
        if (over || current == null) {
            return;
        }
        if (index >= sample().fragmentCount()) {
            finish(current);
            return;
        }
        if (chain.strikes(Fault.UPLOAD_ABANDONED, 12)) {
            goAway(current);
            return;
        }
        FragmentBuffer buffer = publisher.pool().tryAcquire();
        if (buffer == null) {
            publisher.post(5 * Plan.MILLIS, () -> send(index));
            return;
        }
        ByteBuffer bytes = sample().bytesOf(index);
        int length = bytes.remaining();
        buffer.payload(0, length).put(bytes);
        if (isOtherVersion) {
            buffer.payload(0, 1).put(0, (byte) (sample().bytesOf(index).get() ^ 0x55));
        }
        current.write(index, buffer, length, outcome -> {
            if (current == upload && outcome.isRefused()) {
                refused();
            }
        });
        buffer.release();
        publisher.post(chain.slow() / 2, () -> {
            if (current == upload) {
                send(index + 1);
            }
        });
    }

    /** It is over at the spool; the client sees that its transfer failed. One whose disk failed ends, and is asked again later. */
    private void refused() {
        upload = null;
        if (!publisher.hasFailedDisk()) {
            giveUp();
        }
    }

    private void finish(Upload current) {
        chain.finishing(sample().key());
        current.finish(content.length, outcome -> finished(current, outcome));
    }

    private void finished(Upload current, Outcome<Commit> outcome) {
        if (current != upload) {
            return;
        }
        if (outcome.isRefused()) {
            refused();
        } else {
            upload = null;
            Invariants.check(
                    outcome.get().equals(sample().commit()),
                    io.hawser.core.testkit.InvariantName.NO_CHIMERA,
                    "a commit is not that of what was uploaded",
                    sample().key());
            accepted();
        }
    }

    private void accepted() {
        chain.trace(publisher, "has accepted", sample().key());
        over = true;
        chain.completed(sample().key());
    }

    // --- going away

    private void goAway(Upload current) {
        upload = null;
        current.abandon("the client went away");
        chain.count(Fault.UPLOAD_SUSPENDED);
        publisher.post((100 + chain.random.nextInt(600)) * Plan.MILLIS, this::comeBack);
    }

    /** The publisher has been started again: the client finds out what it still has. */
    void publisherIsBack() {
        upload = null;
        if (over) {
            cancelIfForgotten();
            return;
        }
        if (sample == null) {
            later(this::begin);
            return;
        }
        publisher.post((50 + chain.random.nextInt(500)) * Plan.MILLIS, this::comeBack);
    }

    /** What the client gave up may not have been durable. */
    private void cancelIfForgotten() {
        boolean isBack = sample != null
                && chain.isCancelled(sample.key())
                && publisher.spool().resumePositionBytes(sample.key()).isPresent();
        if (isBack) {
            publisher.spool().cancel(sample().key(), "the client gave up");
        }
    }

    private void comeBack() {
        if (over || upload != null) {
            return;
        }
        Optional<TransferSnapshot> state = publisher.spool().state(sample().key());
        SpoolPhase phase = state.map(TransferSnapshot::phase).orElse(null);
        if (phase == SpoolPhase.SPOOLED || phase == SpoolPhase.BROKERED || phase == SpoolPhase.FINISHED) {
            accepted(); // the answer got lost with the publisher
        } else if (phase == SpoolPhase.RECEIVING && !isIncomplete()) {
            later(this::comeBack); // what came is still being written
        } else if (!isIncomplete()) {
            giveUp();
        } else if (chain.random.nextInt(3) == 0) {
            cancel();
        } else {
            resume();
        }
    }

    private void resume() {
        Outcome<Upload> resumed = publisher.spool().resume(sample().key());
        if (resumed.isRefused()) {
            later(this::comeBack);
            return;
        }
        upload = resumed.get();
        long from = upload.resumePositionBytes() / chain.plan.fragmentSizeBytes;
        isOtherVersion = chain.plan.bug == PlantedBug.SOURCE_VERSIONS_MIXED;
        send(chain.random.nextBoolean() && !isOtherVersion ? 0 : (int) from);
    }

    private void cancel() {
        TransferKey key = sample().key();
        chain.givenUp(key);
        publisher.spool().cancel(key, "the client gave up");
        again();
    }

    private void giveUp() {
        if (!over) {
            if (sample != null) {
                chain.givenUp(sample.key());
            }
            again();
        }
    }

    /** Whether the spool would continue it. */
    boolean isIncomplete() {
        return !over
                && sample != null
                && publisher.spool().resumePositionBytes(sample.key()).isPresent();
    }

    /** Another upload of that path has begun, and with that this one may have been dropped. */
    private void supersededIfGone() {
        if (!isIncomplete() && !over) {
            chain.trace(publisher, "superseded", sample().key());
            over = true;
            upload = null;
            chain.givenUp(sample().key());
        }
    }

    /** It is over; perhaps the client tries once more, with other bytes. */
    private void again() {
        chain.trace(publisher, "has no longer", sample == null ? wish : sample.key());
        over = true;
        upload = null;
        if (chain.random.nextBoolean() && wish.kind.hasBytes()) {
            int bytes = chain.random.nextInt(3 * chain.plan.fragmentSizeBytes);
            publisher.wishFor(new Wish(TransferKind.FILE, wish.path, "", wish.topic, bytes, false), chain.slow());
        }
    }

    @Override
    public String toString() {
        return wish + " " + key() + (over ? " over" : upload == null ? " away" : " sending");
    }
}
