package io.hawser.store.log;

import io.hawser.core.model.TransferKey;
import java.util.Map;

/**
 * A log that keeps payloads outside of its records, in numbered areas (with Kafka: in another topic). A record names the place of its
 * payload, so cleaning an old segment copies records without their payloads. Payloads are deleted by area, each from its beginning on.
 *
 * <p>A payload's place is a {@link LogPosition}: the segment of the record that names it, and as offset its area and its number
 * there, see {@link #place}. Places of one area rise with the records that name them, but for those of records written again.
 */
public interface DetachedPayloadLog extends RecordLog {
    /** How many bits of a place are the number within an area. */
    int AREA_SHIFT = 48;

    /** The offset of a place: number {@code number} of area {@code area}. */
    static long place(int area, long number) {
        return (long) area << AREA_SHIFT | number;
    }

    /** The area of a place's offset. */
    static int areaOf(long place) {
        return (int) (place >>> AREA_SHIFT);
    }

    /** The number within its area of a place's offset. */
    static long numberOf(long place) {
        return place & ((1L << AREA_SHIFT) - 1);
    }

    /**
     * Appends a record that names a payload where it lies already.
     *
     * @param place where that is
     * @param placeLength how many numbers of the area it takes
     */
    void appendAgain(
            int kind,
            TransferKey key,
            long index,
            LogPosition place,
            long placeLength,
            int payloadLength,
            byte[] body,
            AppendCallback done);

    /** How many records a segment has at most. */
    long segmentRecords();

    /**
     * How far the areas are filled.
     *
     * @param sequence the last durable record
     * @param next by area: the number after the last payload that a durable record of this run names; every later one names higher
     *     numbers. Areas to which nothing was appended in this run are missing
     */
    record Filled(long sequence, Map<Integer, Long> next) {}

    /** How far the areas are filled. */
    Filled filled();

    /** By area: payloads of lower numbers are not needed any more. It may take its time, and does nothing if it cannot be done now. */
    void truncate(Map<Integer, Long> firstNeeded);
}
