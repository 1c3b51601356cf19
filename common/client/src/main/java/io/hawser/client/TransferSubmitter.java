package io.hawser.client;

import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Commit;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import io.hawser.store.spool.Spool;
import io.hawser.store.spool.TransferSnapshot;
import io.hawser.store.spool.Upload;
import io.hawser.store.spool.UploadRequest;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Puts transfers into a client's journal, and follows what becomes of them. Blocks while too many wait for the broker.
 *
 * <p>Thread: that of the caller, and not the client's loop; {@link #follow} the loop.
 */
final class TransferSubmitter {
    private final HawserClient client;
    private final Spool spool;
    private final OpenTransfers openTransfers;
    private final CallbackBatch batch;
    private final FragmentBufferPool pool;
    private final int fragmentSizeBytes;
    /** A permit for each transfer that may still wait for the broker. */
    private final Semaphore pendingPermits;

    /** @param pool what streams are read into */
    TransferSubmitter(HawserClient client, Spool spool, OpenTransfers openTransfers, FragmentBufferPool pool) {
        ClientOptions.Limits limits = client.options().limits();
        this.client = client;
        this.spool = spool;
        this.openTransfers = openTransfers;
        this.batch = new CallbackBatch(client.loop(), client.callbacks());
        this.pool = pool;
        this.fragmentSizeBytes = limits.fragmentSizeBytes();
        this.pendingPermits = new Semaphore(limits.maxPending());
    }

    /** A file, of unknown size. */
    UploadRequest file(String topic, String name) {
        return request(topic, TransferKind.FILE, name, List.of(name), Map.of());
    }

    UploadRequest request(
            String topic, TransferKind kind, String name, List<String> paths, Map<String, String> attributes) {
        return new UploadRequest(
                new Topic(topic),
                kind,
                name,
                paths,
                Manifest.UNKNOWN_SIZE,
                fragmentSizeBytes,
                attributes,
                UploadRequest.Keyed.NONE);
    }

    /** Sends a file that is read in place. */
    SentTransfer reference(UploadRequest request, Path file) throws IOException {
        return begin(
                request.name(),
                transfer -> spool.reference(request, file, outcome -> onCommit(transfer.get(), outcome)));
    }

    /** Sends at most {@link Spool#SMALL_LIMIT_BYTES}. */
    SentTransfer small(UploadRequest request, byte[] content) throws IOException {
        return begin(
                request.name(),
                transfer -> spool.sendSmall(
                        request, ByteBuffer.wrap(content), outcome -> onCommit(transfer.get(), outcome)));
    }

    /** Sends a stream; returns when all of it is durable. */
    SentTransfer stream(UploadRequest request, InputStream content) throws IOException {
        Begun<Upload> begun = begin(request.name(), unused -> spool.begin(request), Upload::key);
        Commit unused = new StreamSpooler(client.loop(), pool, begun.spooled).run(content);
        return begun.transfer;
    }

    /** Follows a transfer of the journal. */
    SentTransfer follow(TransferSnapshot state) {
        SentTransfer transfer = followed(state.key(), state.manifest().name());
        transfer.begin(state);
        openTransfers.follow(spool, transfer);
        return transfer;
    }

    private SentTransfer followed(TransferKey key, String name) {
        return new SentTransfer(key, name, client, client.callbacks(), batch);
    }

    /** Gives callbacks of the spool the transfer, which is made after the call that takes them. */
    private static final class Holder {
        private @Nullable SentTransfer transfer;

        SentTransfer get() {
            if (transfer == null) {
                throw new IllegalStateException("a store called back inside the call");
            }
            return transfer;
        }
    }

    /** A transfer and what the spool returned for it. */
    private record Begun<T>(SentTransfer transfer, T spooled) {}

    private SentTransfer begin(String name, Function<Holder, Outcome<TransferKey>> start) throws IOException {
        return begin(name, start, Function.identity()).transfer;
    }

    private <T> Begun<T> begin(String name, Function<Holder, Outcome<T>> start, Function<T, TransferKey> key)
            throws IOException {
        client.requireStarted();
        pendingPermits.acquireUninterruptibly();
        Holder holder = new Holder();
        try {
            return client.onLoop(() -> {
                openTransfers.requireStorage();
                Outcome<T> outcome = start.apply(holder);
                Refusal refusal = outcome.refusal();
                if (refusal != null) {
                    throw new HawserException(refusal);
                }
                SentTransfer transfer = followed(key.apply(outcome.get()), name);
                holder.transfer = transfer;
                openTransfers.follow(spool, transfer);
                var unused = transfer.brokered().whenComplete((id, failure) -> pendingPermits.release());
                return new Begun<>(transfer, outcome.get());
            });
        } catch (IOException e) {
            pendingPermits.release();
            throw e;
        }
    }

    private static void onCommit(SentTransfer transfer, Outcome<Commit> outcome) {
        Refusal refusal = outcome.refusal();
        if (refusal != null) {
            transfer.fail(new HawserException(refusal));
        }
    }
}
