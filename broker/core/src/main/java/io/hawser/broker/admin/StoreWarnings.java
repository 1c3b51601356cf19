package io.hawser.broker.admin;

import io.hawser.broker.store.StoreUsage;
import io.hawser.ops.observe.HealthWarning;
import io.hawser.ops.observe.WarningCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Warnings about the store that ask an operator to act. Pure. */
final class StoreWarnings {
    private StoreWarnings() {}

    /** Empty if all is well. */
    static List<HealthWarning> of(StoreUsage sizes) {
        List<HealthWarning> found = new ArrayList<>();
        if (sizes.damagedPlaces() > 0) {
            found.add(WarningCode.LOG_DAMAGED.says(places(sizes.damagedPlaces())
                    + " of the log cannot be read; what was there is asked for again where its publisher"
                    + " still has it. Check the disk (dmesg, smartctl); 'hawser fsck', with the broker stopped,"
                    + " says what it was"));
        }
        if (sizes.lostRecords() > 0) {
            found.add(WarningCode.INDEX_AHEAD.says(
                    "at its start the broker found the log's end gone, about " + sizes.lostRecords()
                            + " records that were durable. Check the disk (dmesg, smartctl). What the broker had accepted as a"
                            + " whole and does not deliver has to be uploaded again"));
        }
        if (sizes.diskFreeBytes() < sizes.headRoomBytes()) {
            found.add(WarningCode.STORE_SPACE.says(String.format(
                    Locale.ROOT,
                    "the broker's disk has %,d bytes free, less than its head-room of %,d bytes: it takes no further payload"
                            + " until space returns. Make room on the disk, or lower --head-room",
                    sizes.diskFreeBytes(),
                    sizes.headRoomBytes())));
        }
        return found;
    }

    private static String places(long number) {
        return number == 1 ? "1 place" : number + " places";
    }
}
