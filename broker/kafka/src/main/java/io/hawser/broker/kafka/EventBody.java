package io.hawser.broker.kafka;

import io.hawser.store.log.LogRecord;
import io.hawser.store.storage.CorruptRecordException;
import java.nio.ByteBuffer;

/**
 * The body of a record of events in Kafka: 8 bytes say how many bytes the bodies of all records before it had, since Kafka tells no client
 * what a part of a topic takes; then come the events.
 *
 * <p>Thread: immutable.
 */
final class EventBody {
    private EventBody() {}

    static byte[] encode(long bytesBefore, byte[] events) {
        return ByteBuffer.allocate(Long.BYTES + events.length)
                .putLong(bytesBefore)
                .put(events)
                .array();
    }

    static long bytesBefore(LogRecord record) throws CorruptRecordException {
        if (record.body().length < Long.BYTES || ByteBuffer.wrap(record.body()).getLong() < 0) {
            throw new CorruptRecordException("the record of events at " + record.position() + " has no size before it");
        }
        return ByteBuffer.wrap(record.body()).getLong();
    }

    /** The record with its events alone as its body. */
    static LogRecord events(LogRecord record) throws CorruptRecordException {
        bytesBefore(record);
        byte[] events = new byte[record.body().length - Long.BYTES];
        System.arraycopy(record.body(), Long.BYTES, events, 0, events.length);
        return new LogRecord(
                record.kind(),
                record.sequence(),
                record.epoch(),
                record.position(),
                record.lengthBytes(),
                record.key(),
                record.index(),
                record.leaf(),
                events,
                0,
                0,
                record.place(),
                record.placeLength());
    }
}
