package io.hawser.client;

import io.hawser.store.spool.Spool;
import io.hawser.store.spool.TransferSnapshot;
import io.hawser.store.storage.CannotOpenNowException;
import io.hawser.store.storage.OutOfSpaceException;
import io.hawser.store.storage.StorageException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Followed transfers that are not in a final phase. After the disk of the client's slot fails, the journal takes no record, so the spool
 * reports no change of a transfer: the failure itself fails their futures.
 *
 * <p>Thread: the client's loop; {@link #failure} any.
 */
final class OpenTransfers {
    private final Path slot;
    private final Set<SentTransfer> open = new HashSet<>();
    private volatile @Nullable String failure;

    OpenTransfers(Path slot) {
        this.slot = slot;
    }

    /** Passes the states of {@code transfer} on to it; fails it if the disk has failed. */
    void follow(Spool spool, SentTransfer transfer) {
        Optional<HawserException> failed = failure();
        if (failed.isPresent()) {
            transfer.fail(failed.get());
            return;
        }
        open.add(transfer);
        var unused = spool.observe(transfer.id().key(), state -> changed(transfer, state));
    }

    private void changed(SentTransfer transfer, TransferSnapshot state) {
        if (state.phase().isFinal()) {
            open.remove(transfer);
        }
        transfer.onState(state);
    }

    /** Fails all that are open. */
    void fail(StorageException cause) {
        if (failure != null) {
            return;
        }
        String sentence = "cannot write to " + slot + ": " + cause.getMessage() + ". " + advice(cause)
                + ", then start again with the same state directory: what is in its journal is resumed";
        failure = sentence;
        open.forEach(transfer -> transfer.fail(storageFailed(sentence)));
        open.clear();
    }

    /** What a user can do about it, as the beginning of a sentence. */
    static String advice(StorageException cause) {
        if (cause instanceof OutOfSpaceException) {
            return "Make room on the disk";
        }
        return cause instanceof CannotOpenNowException unopened && unopened.isForWantOfDescriptors()
                ? "Raise the limit of open files ('ulimit -n')"
                : "Check the disk (dmesg, smartctl)";
    }

    /** Why the disk failed and what to do; empty while it works. */
    Optional<HawserException> failure() {
        return Optional.ofNullable(failure).map(OpenTransfers::storageFailed);
    }

    /** Throws {@link #failure}. */
    void requireStorage() throws HawserException {
        Optional<HawserException> failed = failure();
        if (failed.isPresent()) {
            throw failed.get();
        }
    }

    private static HawserException storageFailed(String sentence) {
        return new HawserException(HawserException.Reason.STORAGE_FAILED, sentence);
    }
}
