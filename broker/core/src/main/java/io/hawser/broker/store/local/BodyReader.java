package io.hawser.broker.store.local;

import io.hawser.broker.relay.RelayRecord;
import io.hawser.core.codec.FieldReader;
import io.hawser.core.codec.MalformedFieldException;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.Receipt;
import io.hawser.core.model.SubscriptionSpec;
import io.hawser.core.model.Topic;
import io.hawser.core.model.TransferKey;
import io.hawser.store.journal.StoredManifests;
import io.hawser.store.storage.CorruptRecordException;
import io.hawser.store.storage.FormatTooNewException;
import io.hawser.store.storage.StorageException;

/**
 * Decodes the bodies that {@link RecordCodec} encodes. The first byte is the version of the body's format, {@value #VERSION}.
 *
 * <p>Thread: its creator.
 */
final class BodyReader extends FieldReader {
    static final int VERSION = 2;

    private BodyReader(byte[] body) throws StorageException {
        super(body);
        int version = u8();
        if (version < VERSION) {
            throw new CorruptRecordException("a record's body has version " + version);
        }
        if (version > VERSION) {
            throw new FormatTooNewException(
                    "a record's body has version " + version + ", this version of Hawser knows " + VERSION);
        }
    }

    /** Reads a body. */
    interface Reading<T> {
        T read(BodyReader in) throws StorageException;
    }

    /**
     * What {@code reading} makes of {@code body}.
     *
     * @throws CorruptRecordException if the bytes are not what they should be
     * @throws FormatTooNewException if a later version wrote them
     */
    static <T> T read(byte[] body, Reading<T> reading) throws StorageException {
        try {
            return reading.read(new BodyReader(body));
        } catch (MalformedFieldException e) {
            throw new CorruptRecordException("a record's body cannot be read: " + e.getMessage(), e);
        }
    }

    Manifest manifest() throws FormatTooNewException {
        return StoredManifests.read(this, key());
    }

    Receipt receipt() {
        return receipt(key());
    }

    SubscriptionSpec subscription() {
        return SubscriptionCodec.read(this);
    }

    RelayRecord.Unsubscribed unsubscribed() {
        long epochMillis = i64();
        String subscription = string();
        String topic = string();
        return checked("topic", () -> new RelayRecord.Unsubscribed(subscription, new Topic(topic), epochMillis));
    }

    RelayRecord.Recalled recalled(TransferKey key) {
        long epochMillis = i64();
        return new RelayRecord.Recalled(key, string(), strings(), epochMillis);
    }

    RelayRecord.Expired expired(TransferKey key) {
        long epochMillis = i64();
        return new RelayRecord.Expired(key, string(), epochMillis);
    }
}
