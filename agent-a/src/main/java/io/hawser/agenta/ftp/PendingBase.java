package io.hawser.agenta.ftp;

import io.hawser.common.model.Commit;
import io.hawser.common.model.Manifest;
import io.hawser.common.model.TransferKind;
import io.hawser.common.spool.TransferState;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The file on its way from here that a patch can queue behind.
 *
 * <p>Thread: the loop.
 */
final class PendingBase {
    private PendingBase() {}

    /** The commit of the file that stands at {@code place}, if it is whole and nothing behind it changes more than its name and time. */
    static Optional<Commit> at(FtpServer server, Namespace.Place place) {
        if (!(server.heldNames().standing(place) instanceof Standing.Held here)) {
            return Optional.empty();
        }
        Manifest file = here.transfer().manifest();
        boolean plain = Stream.of(place.name(), file.name())
                .flatMap(name -> server.spool().touching(place.topic(), name).stream())
                .map(TransferState::manifest)
                .filter(behind -> behind.number() > file.number())
                .allMatch(behind -> behind.kind() == TransferKind.RENAME || behind.kind() == TransferKind.SET_TIME);
        return file.kind() == TransferKind.FILE && plain
                ? Optional.ofNullable(here.transfer().commit())
                : Optional.empty();
    }
}
