package io.hawser.store.landing;

import io.hawser.core.model.Commit;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.TransferKey;
import java.nio.file.Path;

/**
 * A complete object: durable in the landing area, its digest verified on bytes that were read back from the device.
 *
 * @param manifest what it is
 * @param commit its final size and digest
 * @param file the landing file; there is none for kinds without bytes
 * @param offeredBefore whether the target has seen it before: an earlier call failed, or the process ended before it was
 *     known how the delivery ended
 * @param mayBeDone whether an earlier attempt may have delivered it: {@link DeliveryOutcome.Later} said so, or the process ended
 *     before the outcome was known. A target that takes the file and does not find it has delivered it then
 */
public record VerifiedObject(Manifest manifest, Commit commit, Path file, boolean offeredBefore, boolean mayBeDone) {
    static final String NOTE = ".note";

    /** Of an object that is new to its target, or was offered to it by a process that has ended. */
    public VerifiedObject(Manifest manifest, Commit commit, Path file, boolean offeredBefore) {
        this(manifest, commit, file, offeredBefore, offeredBefore);
    }

    /**
     * A file beside the landing file where a target that does not take the file may keep what it has to remember of this delivery
     * over a crash. It goes with the landing file.
     */
    public Path note() {
        return noteOf(file);
    }

    static Path noteOf(Path landingFile) {
        return landingFile.resolveSibling(landingFile.getFileName() + NOTE);
    }

    /** The transfer. */
    public TransferKey key() {
        return manifest.key();
    }
}
