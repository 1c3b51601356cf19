package io.hawser.store.spool;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Fragment;
import io.hawser.core.hop.Outcome;
import io.hawser.core.integrity.Crc32c;
import io.hawser.core.integrity.TreeDigest;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.TransferKey;
import io.hawser.store.content.FragmentFile;
import io.hawser.store.content.FragmentFiles;
import io.hawser.store.content.LeafSlot;
import io.hawser.store.journal.TransferJournal;
import io.hawser.store.log.LogPosition;
import io.hawser.store.log.LogRecord;
import io.hawser.store.storage.CannotOpenNowException;
import io.hawser.store.storage.CorruptRecordException;
import io.hawser.store.storage.OpenMode;
import io.hawser.store.storage.StorageException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads fragments back and checks them: from a transfer's file, from the file that is read in place, or from the journal.
 *
 * <p>Thread: any; calls block.
 */
record ContentReader(FragmentFiles files, TransferJournal<SpoolRecord> journal, SourceFiles sources) {
    /**
     * Where a fragment lies.
     *
     * @param length its length
     * @param journalPosition of a small transfer, or null
     * @param source of a transfer that is read in place, or null
     */
    record Place(
            Manifest manifest,
            long index,
            int length,
            @Nullable LogPosition journalPosition,
            @Nullable SourceFingerprint source) {
        static Place of(SpoolTransfer transfer, long index, int length) {
            return new Place(transfer.manifest(), index, length, transfer.smallPosition(), transfer.source());
        }

        TransferKey key() {
            return manifest.key();
        }
    }

    /**
     * Reads a fragment into {@code into}. The outcome's fragment holds no reference of its own.
     *
     * @param damaged receives on the calling thread the reason why its bytes, or their digest, are not what was written
     */
    Outcome<Fragment> read(Place place, FragmentBuffer into, Consumer<String> damaged) {
        if (place.length() == 0) {
            byte[] leaf = TreeDigest.leaf(into.payload(0, 0));
            return Outcome.of(new Fragment(place.key(), place.index(), 0, 0, leaf, into, 0));
        }
        try {
            return Outcome.of(
                    place.journalPosition() != null
                            ? readSmall(place, place.journalPosition(), into)
                            : readLarge(place, into));
        } catch (SourceChangedException e) {
            return Outcome.refused(ErrorCode.SOURCE_CHANGED, String.valueOf(e.getMessage()));
        } catch (StorageException e) {
            boolean isDamage = !(e instanceof CannotOpenNowException) && place.source() == null;
            if (isDamage) {
                damaged.accept(String.valueOf(e.getMessage()));
            }
            return Outcome.refused(ErrorCode.STORAGE_FAILED, String.valueOf(e.getMessage()));
        }
    }

    private Fragment readSmall(Place place, LogPosition position, FragmentBuffer into) throws StorageException {
        LogRecord record = journal.read(position, place.length(), into);
        if (record.payloadLength() != place.length() || !place.key().equals(record.key())) {
            throw new CorruptRecordException("The journal's record at " + position + " is not that of " + place.key());
        }
        return new Fragment(place.key(), 0, place.length(), record.payloadCrc32c(), record.leaf(), into, 0);
    }

    private Fragment readLarge(Place place, FragmentBuffer into) throws StorageException {
        int length = place.length();
        LeafSlot slot;
        try (FragmentFile file = files.file(place.manifest(), OpenMode.READ)) {
            slot = file.slot(place.index());
            if (slot == null || slot.length() != length) {
                throw new CorruptRecordException(
                        "The digest of fragment " + place.index() + " of " + place.key() + " cannot be read");
            }
            if (place.source() == null) {
                file.read(slot, into);
            } else {
                long position = place.index() * place.manifest().fragmentSizeBytes();
                sources.read(place.source(), into, position, length);
                if (Crc32c.of(into.payload(0, length)) != slot.crc32c()) {
                    throw new SourceChangedException(place.source().path() + " changed while it was being sent");
                }
            }
        }
        return new Fragment(place.key(), place.index(), length, slot.crc32c(), slot.leaf(), into, 0);
    }
}
