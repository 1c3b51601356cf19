package io.hawser.broker.store.local;

import io.hawser.broker.relay.RelayRecord;
import io.hawser.core.model.Commit;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.SubscriptionSpec;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferDigest;
import io.hawser.core.model.TransferKey;
import io.hawser.store.record.FieldReader;
import io.hawser.store.storage.CorruptRecordException;
import io.hawser.store.storage.FormatTooNewException;
import io.hawser.store.storage.StorageException;

/**
 * Decodes the bodies that {@link RecordCodec} encodes. The first byte is the version of the body's format: {@value #FIRST_VERSION}, or
 * a later one, up to {@value #VERSION}, where a body has more since.
 *
 * <p>Thread: its creator.
 */
final class BodyReader extends FieldReader {
    static final int FIRST_VERSION = 1;
    /** A transfer's state says when it was committed, and a subscription has terms. */
    static final int WITH_TERMS = 2;
    /** A subscription may be shared by a group and have a priority; a transfer's state names the member that may deliver it. */
    static final int WITH_GROUPS = 3;
    /** The latest: a subscription names its owner, the owner's certificate, and since when. */
    static final int VERSION = 4;

    private final int version;

    BodyReader(byte[] body) throws StorageException {
        super(body);
        version = u8();
        if (version < FIRST_VERSION) {
            throw new CorruptRecordException("a record's body has version " + version);
        }
        if (version > VERSION) {
            throw new FormatTooNewException(
                    "a record's body has version " + version + ", this version of Hawser knows up to " + VERSION);
        }
    }

    /** The version of the body's format, one of those that are known. */
    int version() {
        return version;
    }

    Manifest manifest() throws CorruptRecordException {
        return manifest(key(), this::pairs);
    }

    Receipt receipt() throws CorruptRecordException {
        return receipt(key());
    }

    Commit commit() throws CorruptRecordException {
        long sizeBytes = i64();
        long fragmentCount = i64();
        int fragmentSizeBytes = i32();
        byte[] root = bytes();
        return checked(
                "commit", () -> new Commit(sizeBytes, fragmentCount, new TransferDigest(fragmentSizeBytes, root)));
    }

    SubscriptionSpec subscription() throws CorruptRecordException {
        return SubscriptionCodec.read(this);
    }

    RelayRecord.Unsubscribed unsubscribed() throws CorruptRecordException {
        long epochMillis = i64();
        String subscription = string();
        String topic = string();
        return checked("topic", () -> new RelayRecord.Unsubscribed(subscription, new Topic(topic), epochMillis));
    }

    RelayRecord.Expired expired(TransferKey key) throws CorruptRecordException {
        long epochMillis = i64();
        return new RelayRecord.Expired(key, string(), epochMillis);
    }
}
