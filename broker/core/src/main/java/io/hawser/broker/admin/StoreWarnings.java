package io.hawser.broker.admin;

import io.hawser.broker.store.StoreUsage;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** Warnings about the store that ask an operator to act. Pure. */
final class StoreWarnings {
    private StoreWarnings() {}

    /** A sentence by what it is about; empty if all is well. */
    static Map<String, String> of(StoreUsage sizes) {
        Map<String, String> found = new LinkedHashMap<>();
        if (sizes.damagedPlaces() > 0) {
            found.put(
                    "log.damaged",
                    places(sizes.damagedPlaces())
                            + " of the log cannot be read; what was there is asked for again where its publisher"
                            + " still has it. Check the disk (dmesg, smartctl); 'hawser fsck', with the broker stopped,"
                            + " says what it was");
        }
        if (sizes.lostRecords() > 0) {
            found.put(
                    "index.ahead",
                    "at its start the broker found the log's end gone, about " + sizes.lostRecords()
                            + " records that were durable. Check the disk (dmesg, smartctl). What the broker had accepted as a"
                            + " whole and does not deliver has to be uploaded again");
        }
        if (sizes.diskFreeBytes() < sizes.headRoomBytes()) {
            found.put(
                    "store.space",
                    String.format(
                            Locale.ROOT,
                            "the broker's disk has %,d bytes free, less than its head-room of %,d bytes: it takes no further payload"
                                    + " until space returns. Make room on the disk, or lower --head-room",
                            sizes.diskFreeBytes(),
                            sizes.headRoomBytes()));
        }
        return found;
    }

    private static String places(long number) {
        return number == 1 ? "1 place" : number + " places";
    }
}
