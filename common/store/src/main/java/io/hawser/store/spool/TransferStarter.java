package io.hawser.store.spool;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Attributes;
import io.hawser.core.model.Commit;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.Utf8;
import io.hawser.store.spool.RecentFiles.RecentFile;
import io.hawser.store.storage.StorageException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Begins transfers and continues uploads: whether one is taken, which number it has, and which earlier ones it supersedes.
 *
 * <p>Thread: the loop.
 */
final class TransferStarter {
    private final SpoolParts parts;
    private final TransferRegister register;
    private final TransferLifecycle transfers;

    TransferStarter(SpoolParts parts) {
        this.parts = parts;
        this.register = parts.register;
        this.transfers = parts.transfers;
    }

    /** As {@link Spool#begin}. */
    Outcome<Upload> begin(UploadRequest request) {
        Refusal refusal = admit(request, Math.max(0, request.sizeBytes()));
        if (refusal != null) {
            return Outcome.refused(refusal);
        }
        supersede(request, null);
        return Outcome.of(beginNew(request));
    }

    /** What broke off of the same account and path is cancelled, but for {@code kept}. */
    private void supersede(UploadRequest request, @Nullable SpoolTransfer kept) {
        String account = request.attributes().get(Attributes.ACCOUNT);
        for (SpoolTransfer old : register.allOf(request.topic(), request.name())) {
            if (old != kept && parts.context.uploads().isIncomplete(old) && Objects.equals(account, accountOf(old))) {
                transfers.cancel(old, new Refusal(ErrorCode.CANCELLED, RestartedUpload.SUPERSEDED));
            }
        }
    }

    private DiskUpload beginNew(UploadRequest request) {
        SpoolTransfer transfer = create(request, request.sizeBytes());
        if (request.sizeBytes() > 0) {
            parts.context.space().reserve(transfer, request.sizeBytes());
        }
        DiskUpload upload = new DiskUpload(parts.context, transfer, false);
        parts.context.uploads().began(upload);
        if (request.sizeBytes() > Spool.SMALL_LIMIT_BYTES) {
            upload.open();
        }
        return upload;
    }

    /** As {@link Spool#restart}; {@code pin} is {@link Spool#pin}. */
    Outcome<Upload> restart(UploadRequest request, Semaphore waitingPlaces, Function<TransferKey, Runnable> pin) {
        SpoolTransfer old = register.newest(
                request.topic(),
                request.name(),
                t -> parts.context.uploads().isIncomplete(t)
                        && Objects.equals(request.attributes().get(Attributes.ACCOUNT), accountOf(t)));
        if (old == null || !RestartRule.allows(register, old, request)) {
            return begin(request);
        }
        Refusal refusal = admit(request, 0);
        if (refusal != null) {
            return Outcome.refused(refusal);
        }
        supersede(request, old);
        DiskUpload fresh = beginNew(request);
        return Outcome.of(
                new RestartedUpload(parts.context, resumed(old), fresh, () -> pin.apply(old.key()), waitingPlaces));
    }

    /** As {@link Spool#sendSmall}. */
    Outcome<TransferKey> sendSmall(UploadRequest request, ByteBuffer content, Outcome.Callback<Commit> durable) {
        int sizeBytes = content.remaining();
        if (sizeBytes > Math.min(Spool.SMALL_LIMIT_BYTES, request.fragmentSizeBytes())) {
            return Outcome.refused(
                    ErrorCode.TOO_LARGE, sizeBytes + " bytes are more than a small object may have; upload it");
        }
        Refusal refusal = admit(request, sizeBytes);
        if (refusal != null) {
            return Outcome.refused(refusal);
        }
        SpoolTransfer transfer = create(request, sizeBytes);
        if (sizeBytes > 0
                && !SpoolRecordKinds.fitsSmall(transfer.manifest())) { // what has no bytes fits with any manifest
            register.forget(transfer);
            return Outcome.refused(
                    ErrorCode.BAD_NAME, "Name and attributes are too long for a small object; upload it");
        }
        parts.context.space().reserve(transfer, sizeBytes);
        transfers.small(transfer, content.duplicate(), durable);
        return Outcome.of(transfer.key());
    }

    /** As {@link Spool#reference}. */
    Outcome<TransferKey> reference(UploadRequest request, Path source, Outcome.Callback<Commit> durable) {
        Refusal refusal = admit(request, 0);
        if (refusal != null) {
            return Outcome.refused(refusal);
        }
        SpoolTransfer unborn = create(request, Manifest.UNKNOWN_SIZE);
        parts.references.add(unborn, source, found -> sized(unborn.manifest(), found), durable);
        return Outcome.of(unborn.key());
    }

    private static Manifest sized(Manifest unknown, SourceFingerprint source) {
        Map<String, String> attributes = new HashMap<>(unknown.attributes());
        attributes.putIfAbsent(
                Attributes.MODIFIED_MILLIS, Long.toString(Math.floorDiv(source.modifiedNanos(), 1_000_000L)));
        return new Manifest(
                unknown.key(),
                unknown.number(),
                unknown.topic(),
                unknown.kind(),
                unknown.name(),
                unknown.paths(),
                source.sizeBytes(),
                unknown.fragmentSizeBytes(),
                attributes);
    }

    private @Nullable Refusal admit(UploadRequest request, long sizeBytes) {
        StorageException failure = parts.failure();
        if (failure != null) {
            return new Refusal(ErrorCode.STORAGE_FAILED, "The spool's disk failed: " + failure.getMessage());
        }
        if (request.fragmentSizeBytes() > parts.context.pool().payloadCapacity()) {
            throw new IllegalArgumentException("fragments of " + request.fragmentSizeBytes() + " bytes in buffers of "
                    + parts.context.pool().payloadCapacity());
        }
        if (Manifest.isTooLarge(sizeBytes, request.fragmentSizeBytes())) {
            return new Refusal(
                    ErrorCode.TOO_LARGE,
                    sizeBytes + " bytes are too many. " + Manifest.SIZE_LIMITS + ", here of "
                            + request.fragmentSizeBytes() + " bytes");
        }
        if (!isSendable(request.name())) {
            return new Refusal(
                    ErrorCode.BAD_NAME,
                    "A name is at most " + Manifest.MAX_NAME_LENGTH_BYTES + " bytes of UTF-8 without NUL");
        }
        if (register.pending() >= parts.config.bounds().maxPending()) {
            return new Refusal(
                    ErrorCode.NO_SPACE,
                    "The spool has " + register.pending()
                            + " transfers that the broker has not taken; try again later");
        }
        return parts.context.space().refusalFor(sizeBytes);
    }

    /** What a name may be at its destination is for the far end to say. A lone surrogate has no UTF-8 and would arrive as another name. */
    private static boolean isSendable(String name) {
        return name.indexOf('\0') < 0
                && StandardCharsets.UTF_8.newEncoder().canEncode(name)
                && Utf8.length(name) <= Manifest.MAX_NAME_LENGTH_BYTES;
    }

    private SpoolTransfer create(UploadRequest request, long sizeBytes) {
        TransferKey key = parts.newKey();
        RecentFile before = parts.repeats.before(request);
        Manifest manifest = new Manifest(
                key,
                before == null ? parts.nextNumber() : parts.nextNumberButOne(),
                request.topic(),
                request.kind(),
                request.name(),
                request.paths(),
                sizeBytes,
                request.fragmentSizeBytes(),
                request.attributesOf(key));
        parts.context.uploads().openOlder(manifest.topic(), manifest.paths());
        SpoolTransfer transfer = new SpoolTransfer(manifest, null, register.steadyNanos());
        transfer.setRepeated(before);
        register.add(transfer);
        return transfer;
    }

    static @Nullable String accountOf(SpoolTransfer transfer) {
        return transfer.manifest().attributes().get(Attributes.ACCOUNT);
    }

    /** As {@link Spool#resume}. */
    Outcome<Upload> resume(TransferKey key) {
        SpoolTransfer transfer = register.get(key);
        if (transfer == null || !parts.context.uploads().isIncomplete(transfer)) {
            return Outcome.refused(ErrorCode.NOT_FOUND, "There is no upload to continue; begin a new one");
        }
        long missing = transfer.manifest().sizeBytes() - transfer.durableBytes();
        Refusal refusal = missing > 0 ? parts.context.space().reserve(transfer, missing) : null;
        if (refusal != null) {
            return Outcome.refused(refusal);
        }
        return Outcome.of(resumed(transfer));
    }

    private DiskUpload resumed(SpoolTransfer transfer) {
        DiskUpload upload = new DiskUpload(parts.context, transfer, true);
        parts.context.uploads().began(upload);
        transfers.resume(transfer);
        return upload;
    }
}
