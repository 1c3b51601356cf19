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
import org.jspecify.annotations.Nullable;

/**
 * Objects without bytes at a far server: MKD, DELE, RMD, RNFR and RNTO, MFMT (or MDTM with a time), SITE CHMOD.
 *
 * <p>Exactly once: an operation that was offered before is judged by what is there. What is to be deleted or renamed and is gone has
 * been; order by path keeps every later object of that name back until then.
 *
 * <p>Thread: the target's; {@link #check} any.
 */
final class FarOperations {
    private final FarSession session;

    FarOperations(FarSession session) {
        this.session = session;
    }

    /** Whether the manifest can ever be done: null, or why not. */
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
                        : new Refusal(ErrorCode.MALFORMED, "The time that is to be set is no number.");
            case SET_MODE ->
                attribute(manifest, Attributes.MODE).matches("0*[0-7]{1,3}")
                        ? null
                        : new Refusal(ErrorCode.MALFORMED, "Permissions are octal, from 0 to 777.");
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
     * Does it.
     *
     * @param again whether nobody knows whether an earlier attempt did it
     * @throws FarRefusedException if the server does not; with a code from 500 on it never will
     */
    void run(VerifiedObject object, boolean again) throws IOException {
        Manifest manifest = object.manifest();
        String path = session.path(manifest.name());
        switch (manifest.kind()) {
            case MAKE_DIRECTORY -> session.makeDirectories(path);
            case DELETE -> remove("DELE", path, again);
            case REMOVE_DIRECTORY -> {
                remove("RMD", path, again);
                session.forgetDirectories();
            }
            case RENAME -> {
                session.checkName(attribute(manifest, Attributes.RENAMED_TO));
                rename(path, session.path(attribute(manifest, Attributes.RENAMED_TO)), again);
                session.forgetDirectories();
            }
            case SET_TIME ->
                FarTimeCommands.demandModified(
                        session.client(), path, Long.parseLong(attribute(manifest, Attributes.MODIFIED_MILLIS)));
            case SET_MODE ->
                session.client().command("SITE", "CHMOD " + attribute(manifest, Attributes.MODE) + " " + path);
            default -> throw new IllegalArgumentException("not an operation: " + manifest.kind());
        }
    }

    private void remove(String verb, String path, boolean again) throws IOException {
        try {
            session.client().command(verb, path);
        } catch (FarRefusedException e) {
            if (!again || !e.isPermanent() || session.isThere(path)) {
                throw e;
            }
        }
    }

    private void rename(String from, String to, boolean again) throws IOException {
        if (again && !session.isThere(from)) {
            return;
        }
        session.replace(from, to);
    }

    /** Whether the server's answer to an operation is its last word on it. */
    static boolean isFinal(TransferKind kind, FarRefusedException refused) {
        return !kind.hasBytes() && kind != TransferKind.MAKE_DIRECTORY && refused.isPermanent();
    }
}
