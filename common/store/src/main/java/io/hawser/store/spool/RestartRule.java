package io.hawser.store.spool;

import io.hawser.core.model.Manifest;
import io.hawser.core.model.TransferKind;

/**
 * Whether an upload from byte 0 may continue one that broke off, if its bytes turn out to be the same.
 *
 * <p>Thread: the loop. Changes nothing.
 */
final class RestartRule {
    private RestartRule() {}

    /** Whether {@code request} may continue {@code old}, an incomplete upload of the same account, topic and name. */
    static boolean allows(TransferRegister register, SpoolTransfer old, UploadRequest request) {
        return mayBeOneVersion(old, request) && !isOvertaken(register, old.manifest());
    }

    /** What has no whole fragment has sent nothing. A credential that a client delegates is of one transfer. */
    private static boolean mayBeOneVersion(SpoolTransfer old, UploadRequest request) {
        Manifest manifest = old.manifest();
        return manifest.kind() == TransferKind.FILE
                && manifest.kind() == request.kind()
                && !old.isDamaged()
                && !old.arrived().full().isEmpty()
                && old.arrived().partials().size() <= 1
                && manifest.sizeBytes() == Manifest.UNKNOWN_SIZE
                && manifest.sizeBytes() == request.sizeBytes()
                && manifest.paths().equals(request.paths())
                && manifest.fragmentSizeBytes() == request.fragmentSizeBytes()
                && manifest.attributes().equals(request.attributes())
                && request.keyed() == UploadRequest.Keyed.NONE;
    }

    /** Whether a later transfer has touched its path, or may have: what comes now has to follow that one. */
    private static boolean isOvertaken(TransferRegister register, Manifest old) {
        TransferSnapshot ended = register.lastEnded(old.topic(), old.name());
        boolean afterEnded = ended != null
                && ended.phase() != SpoolPhase.CANCELLED
                && ended.manifest().number() > old.number();
        return afterEnded
                || register.unfollowed().has(old.topic())
                || register.touched().touching(old.topic(), old.name()).stream()
                        .anyMatch(later -> later.manifest().number() > old.number()
                                && later.milestones().endWanted() == null);
    }
}
