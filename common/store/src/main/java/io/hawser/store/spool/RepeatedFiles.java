package io.hawser.store.spool;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Fragment;
import io.hawser.core.hop.Refusal;
import io.hawser.core.integrity.Sha256;
import io.hawser.core.model.Attributes;
import io.hawser.core.model.Commit;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.PatchRanges;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.TransferKey;
import io.hawser.core.model.TransferKind;
import io.hawser.store.content.FragmentFile;
import io.hawser.store.runtime.StoreRuntime;
import io.hawser.store.spool.RecentFiles.RecentFile;
import io.hawser.store.storage.OpenMode;
import io.hawser.store.storage.StorageException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file that an account uploads again to the same path with the same bytes does not go over the link again. While its fragments are
 * those of the upload before, the next hop gets none of them. If all are, a patch without bytes follows that upload: it tells the far
 * ends to publish once more what they have, and they refuse it unless its digest is right. When all have done so, the repeated file is
 * delivered as well. At the first difference, and where a far end refuses or does not answer in time, all its bytes are sent.
 *
 * <pre>
 *   held back ──all fragments equal──► awaits its confirmation ──DELIVERED by all──► ends with the same receipts
 *       │ a difference                         │ else, or after 30 s at the broker
 *       └──────────────────────────────────────┴──► sent as any other
 * </pre>
 *
 * <p>The confirmation has the number before the file's, so that it goes first, and whatever follows on the path waits for the file. After a restart
 * nothing is held back: the file is sent.
 *
 * <p>Thread: the loop.
 */
final class RepeatedFiles {
    private static final Logger LOG = LoggerFactory.getLogger(RepeatedFiles.class);
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(30);

    private final UploadContext context;
    private final TransferRegister register;
    private final ContentDisposal disposal;
    private final TransferObservers observers;
    private final Supplier<TransferKey> newKey;
    private final StoreRuntime runtime;
    private final RecentFiles recent = new RecentFiles();
    private final Map<TransferKey, Confirmation> confirmations = new HashMap<>();

    /** What tells the far ends to publish again what they have, for {@code file}. */
    private static final class Confirmation {
        final SpoolTransfer transfer;
        final SpoolTransfer file;
        /** Since when the next hop has it; null before. */
        @Nullable
        Long brokeredNanos;

        Confirmation(SpoolTransfer transfer, SpoolTransfer file) {
            this.transfer = transfer;
            this.file = file;
        }
    }

    RepeatedFiles(
            UploadContext context,
            TransferRegister register,
            ContentDisposal disposal,
            TransferObservers observers,
            Supplier<TransferKey> newKey,
            StoreRuntime runtime) {
        this.context = context;
        this.register = register;
        this.disposal = disposal;
        this.observers = observers;
        this.newKey = newKey;
        this.runtime = runtime;
    }

    /** What an upload that begins may repeat: the last thing that touched its path, as far as is known here. */
    @Nullable
    RecentFile before(UploadRequest request) {
        if (request.keyed() != UploadRequest.Keyed.NONE
                || !RecentFiles.isCompared(request.kind(), request.attributes())
                || register.unfollowed().has(request.topic())) {
            return null;
        }
        RecentFile last = recent.find(request.attributes(), request.topic(), request.name());
        return last == null
                        || last.commit().digest().fragmentSizeBytes() != request.fragmentSizeBytes()
                        || isOvertaken(last, request)
                ? null
                : last;
    }

    private boolean isOvertaken(RecentFile last, UploadRequest request) {
        TransferSnapshot ended = register.lastEnded(request.topic(), request.name());
        boolean afterEnded = ended != null
                && ended.phase() != SpoolPhase.CANCELLED
                && (ended.manifest().number() > last.number()
                        || (ended.manifest().number() == last.number() && !isDelivered(ended)));
        return afterEnded
                || register.touched().touching(request.topic(), request.name()).stream()
                        .anyMatch(later -> later.manifest().number() > last.number() && later.commit() != null);
    }

    private static boolean isDelivered(TransferSnapshot state) {
        return state.phase() == SpoolPhase.FINISHED
                && !state.deliverySet().isEmpty()
                && state.deliverySet().stream().allMatch(member -> state.receipts().stream()
                        .anyMatch(receipt ->
                                receipt.subscription().equals(member) && receipt.status() == ReceiptStatus.DELIVERED));
    }

    /** Whether the fragment, which is durable, is not for the next hop yet. At the first difference it gets all that is here. */
    boolean holdsBack(SpoolTransfer transfer, Fragment fragment) {
        RecentFile before = transfer.repeated();
        if (before == null) {
            return false;
        }
        boolean same = before.has(fragment.index(), fragment.leaf());
        if (!same) {
            context.transfers().sendAfterAll(transfer);
        }
        return same;
    }

    /** The transfer is complete. Returns whether it waits for its confirmation instead of being sent. */
    boolean isConfirmed(SpoolTransfer file, Commit commit) {
        RecentFile before = file.repeated();
        if (before == null) {
            return false;
        }
        SpoolTransfer confirmation = confirmation(file, commit);
        if (!commit.equals(before.commit()) || !SpoolRecordKinds.fitsSmall(confirmation.manifest())) {
            context.transfers().sendAfterAll(file);
            return false;
        }
        register.add(confirmation);
        confirmations.put(confirmation.key(), new Confirmation(confirmation, file));
        observers.add(confirmation.key(), this::onState);
        context.transfers().small(confirmation, ByteBuffer.allocate(0), outcome -> {});
        return true;
    }

    private SpoolTransfer confirmation(SpoolTransfer file, Commit commit) {
        Manifest manifest = file.manifest();
        Map<String, String> attributes = new HashMap<>(manifest.attributes());
        attributes.put(Attributes.OFFSET, PatchRanges.from(commit.sizeBytes()).text());
        attributes.put(Attributes.BASE_SIZE, Long.toString(commit.sizeBytes()));
        attributes.put(Attributes.BASE_DIGEST, commit.digest().toString());
        return new SpoolTransfer(
                new Manifest(
                        newKey.get(),
                        manifest.number() - 1,
                        manifest.topic(),
                        TransferKind.PATCH,
                        manifest.name(),
                        manifest.paths(),
                        0,
                        manifest.fragmentSizeBytes(),
                        attributes),
                null,
                register.steadyNanos());
    }

    /** Whether it is one of those that this class made: its failure is no failure of an upload. */
    boolean isConfirmation(TransferKey key) {
        return confirmations.containsKey(key);
    }

    private void onState(TransferSnapshot state) {
        Confirmation confirmation = confirmations.get(state.key());
        if (confirmation == null) {
            return;
        }
        Refusal why = state.refusal();
        if (why != null && why.code() == ErrorCode.STORAGE_FAILED && state.phase() == SpoolPhase.CANCELLED) {
            // The journal has failed, and the node ends. What it could not force may be there at the next start, which
            // has
            // to offer both in their order: so the file must not leave now.
            confirmations.remove(state.key());
            return;
        }
        boolean isRefused =
                state.receipts().stream().anyMatch(receipt -> !receipt.status().isGood());
        if (isDelivered(state)) {
            confirmations.remove(state.key());
            if (isWaiting(confirmation.file)) {
                context.transfers().deliveredBefore(confirmation.file, state);
            }
        } else if (isRefused || state.phase().isFinal() || why != null) {
            end(state.key());
        } else if (state.phase() == SpoolPhase.BROKERED) {
            if (state.deliverySet().isEmpty()) {
                end(state.key()); // nobody is there who could have it
            } else if (confirmation.brokeredNanos == null) {
                confirmation.brokeredNanos = runtime.nowNanos();
            }
        }
    }

    private boolean isWaiting(SpoolTransfer file) {
        return register.get(file.key()) == file && file.phase() == SpoolPhase.SPOOLED && file.repeated() != null;
    }

    /** The file is sent. Its confirmation, if it is still on its way, harms nothing: the bytes are the same. */
    private void end(TransferKey key) {
        Confirmation confirmation = confirmations.remove(key);
        if (confirmation != null && isWaiting(confirmation.file)) {
            LOG.atInfo()
                    .addKeyValue("transfer", confirmation.file.key())
                    .log(
                            "A file that was uploaded again is sent whole: not every far end has said that it still has it");
            context.transfers().sendAfterAll(confirmation.file);
        }
    }

    /** About a second has passed: what has waited for long enough is sent. */
    void tick() {
        List.copyOf(confirmations.values()).stream()
                .filter(each -> isOverdue(each.brokeredNanos))
                .filter(each -> !followsOthers(each.transfer.manifest()))
                .forEach(each -> end(each.transfer.key()));
    }

    private boolean isOverdue(@Nullable Long sinceNanos) {
        return sinceNanos != null && runtime.nowNanos() - sinceNanos > PATIENCE_NANOS;
    }

    private boolean followsOthers(Manifest manifest) {
        return register.touched().touching(manifest.topic(), manifest.name()).stream()
                .anyMatch(earlier -> earlier.manifest().number() < manifest.number() && earlier.isUnderWay());
    }

    /** A file has been accepted: what is uploaded next to its path is compared with it. */
    void accepted(SpoolTransfer file, Commit commit) {
        if (!RecentFiles.isKept(file.manifest(), commit)) {
            return;
        }
        disposal.pin(file);
        context.disk().execute(() -> {
            byte[] leaves = leaves(file.manifest(), commit);
            context.mailbox().post(() -> {
                disposal.unpin(file.key());
                if (leaves != null) {
                    recent.add(file.manifest(), new RecentFile(file.manifest().number(), commit, leaves));
                }
            });
        });
    }

    private byte @Nullable [] leaves(Manifest manifest, Commit commit) {
        byte[] leaves = new byte[(int) commit.fragmentCount() * Sha256.LENGTH_BYTES];
        try (FragmentFile file = context.files().file(manifest, OpenMode.READ)) {
            file.scan(0, slot -> {
                if (slot.index() < commit.fragmentCount()) {
                    System.arraycopy(
                            slot.leaf(), 0, leaves, (int) slot.index() * Sha256.LENGTH_BYTES, Sha256.LENGTH_BYTES);
                }
            });
            return leaves;
        } catch (StorageException e) {
            LOG.atWarn()
                    .addKeyValue("transfer", manifest.key())
                    .setCause(e)
                    .log("The digests of an upload cannot be read; if the file comes again, all of it is sent");
            return null;
        }
    }
}
