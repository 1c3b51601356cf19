package io.hawser.agentb.deliver.ftp;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Attributes;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.TransferKind;
import io.hawser.store.landing.PatchPlan;
import io.hawser.store.landing.TargetName;
import io.hawser.store.landing.VerifiedObject;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.commons.net.ftp.FTPReply;
import org.jspecify.annotations.Nullable;

/**
 * Applies objects without bytes at a far server: MKD, DELE, RMD, RNFR and RNTO, MFMT (or MDTM with a time), SITE CHMOD.
 *
 * <p>Exactly once: if an earlier attempt may have applied an operation, the state of the server decides. A file that is to be deleted or renamed and
 * is missing has been; order by path holds back every later object of that name until then.
 *
 * <p>Thread: a delivering thread; {@link #check} any.
 */
record FarOperations(FarSession session) {
    /** Why the manifest can never be delivered; null if it can. */
    static @Nullable Refusal check(Manifest manifest) {
        Refusal refusal = checkName(manifest.name());
        if (refusal != null) {
            return refusal;
        }
        TransferKind kind = manifest.kind();
        return switch (kind) {
            case RENAME -> checkName(attribute(manifest, Attributes.RENAMED_TO));
            case SET_TIME ->
                attribute(manifest, Attributes.MODIFIED_MILLIS).matches("-?[0-9]{1,15}")
                        ? null
                        : new Refusal(ErrorCode.MALFORMED, "The modification time is not a number.");
            case SET_MODE ->
                attribute(manifest, Attributes.MODE).matches("0*[0-7]{1,3}")
                        ? null
                        : new Refusal(ErrorCode.MALFORMED, "The permissions are not octal, 0 to 777.");
            default -> PatchPlan.check(manifest);
        };
    }

    private static @Nullable Refusal checkName(String name) {
        Refusal refusal = TargetName.parse(name).refusal();
        if (refusal == null && name.chars().anyMatch(Character::isISOControl)) {
            return new Refusal(
                    ErrorCode.BAD_NAME,
                    "The name has a control character, which FTP cannot carry to the far server. Rename it.");
        }
        return refusal;
    }

    private static String attribute(Manifest manifest, String name) {
        return manifest.attributes().getOrDefault(name, "");
    }

    /**
     * Applies the operation.
     *
     * @param mayBeDone whether an earlier attempt may have applied it; afterwards, whether this one or that one may have
     * @throws FarRefusedException if the server refuses; for ever with a code of 500 or more
     */
    void run(VerifiedObject object, AtomicBoolean mayBeDone) throws IOException {
        Manifest manifest = object.manifest();
        String path = session.path(manifest.name());
        switch (manifest.kind()) {
            case MAKE_DIRECTORY -> session.makeDirectories(path);
            case DELETE -> {
                boolean isDoneWithoutFile =
                        attribute(manifest, Attributes.IF_EXISTS).equals(Attributes.YES);
                mayBeDone.compareAndSet(false, isDoneWithoutFile);
                remove("DELE", path, mayBeDone);
            }
            case REMOVE_DIRECTORY -> {
                remove("RMD", path, mayBeDone);
                session.forgetDirectories();
            }
            case RENAME -> {
                session.checkName(attribute(manifest, Attributes.RENAMED_TO));
                rename(path, session.path(attribute(manifest, Attributes.RENAMED_TO)), mayBeDone);
                session.forgetDirectories();
            }
            case SET_TIME ->
                FarTimeCommands.requireModified(
                        session.client(), path, Long.parseLong(attribute(manifest, Attributes.MODIFIED_MILLIS)));
            case SET_MODE ->
                session.client().command("SITE", "CHMOD " + attribute(manifest, Attributes.MODE) + " " + path);
            default -> throw new IllegalArgumentException("not an operation: " + manifest.kind());
        }
    }

    private void remove(String verb, String path, AtomicBoolean mayBeDone) throws IOException {
        boolean before = mayBeDone.getAndSet(true);
        try {
            session.client().command(verb, path);
        } catch (FarRefusedException e) {
            if (!before) {
                mayBeDone.set(isOpen(e));
                throw e;
            }
            if (!e.isPermanent() || session.exists(path)) {
                throw e;
            }
        }
    }

    private void rename(String from, String to, AtomicBoolean mayBeDone) throws IOException {
        if (mayBeDone.get() && !session.exists(from)) {
            return;
        }
        mayBeDone.set(true);
        try {
            session.replace(from, to);
        } catch (FarRefusedException e) {
            mayBeDone.set(isOpen(e));
            throw e;
        }
    }

    /** A server that closes may have applied the command before. */
    private static boolean isOpen(FarRefusedException refused) {
        return refused.code() == FTPReply.SERVICE_NOT_AVAILABLE;
    }

    /** Whether {@code refused} is final for an object of that kind. */
    static boolean isFinal(TransferKind kind, FarRefusedException refused) {
        return !kind.hasBytes() && kind != TransferKind.MAKE_DIRECTORY && refused.isPermanent();
    }
}
