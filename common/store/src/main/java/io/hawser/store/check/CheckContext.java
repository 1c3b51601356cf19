package io.hawser.store.check;

import io.hawser.store.storage.Storage;
import java.nio.file.Path;

/**
 * What a check works on.
 *
 * @param storage how it gets at the disk
 * @param directory a data directory that this process holds
 * @param epoch how often it was opened: nothing in it can be younger
 * @param quick whether payloads, digests and the rows of the index are left out
 * @param scratch a directory, not made yet, for what a check has to write meanwhile; on whatever disk
 * @param findings what it finds
 */
public record CheckContext(
        Storage storage, Path directory, long epoch, boolean quick, Path scratch, Findings findings) {}
