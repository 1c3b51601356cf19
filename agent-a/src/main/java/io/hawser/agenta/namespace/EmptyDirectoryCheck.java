package io.hawser.agenta.namespace;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.TransferKind;
import io.hawser.core.remote.CallTimeouts;
import io.hawser.core.remote.RemoteFile;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Decides who can say whether a directory that is on its way is empty. Only one that is known to be new holds nothing but what is known
 * here. Any other may have been at the far end before, with files in it: there the far end has to answer for its removal.
 *
 * <p>Thread: the loop. One of the two callbacks is called, perhaps inside the call.
 */
public final class EmptyDirectoryCheck {
    /** How long the far end may be away before the client is told to try later. */
    private static final Duration AWAY = Duration.ofSeconds(5);

    private final NamespaceService names;

    EmptyDirectoryCheck(NamespaceService names) {
        this.names = names;
    }

    /**
     * Checks {@code subject}, a directory on its way.
     *
     * @param found the same subject; on its way only if it is known to be new
     * @param refused the far end is away or silent
     */
    public void check(ChangeSubject subject, Consumer<ChangeSubject> found, Consumer<RequestFailure> refused) {
        PathState state = names.pending().stateAt(subject.place());
        if (isMadeHere(state) && names.created().isNew(subject.path())) {
            found.accept(subject);
            return;
        }
        String older = nameBeforeRenames(state, subject.place().name());
        names.remoteFiles()
                .stat(
                        subject.place().topic(),
                        older,
                        new CallTimeouts(AWAY, names.options().farLookTime()),
                        outcome -> heard(subject, older, outcome, found, refused));
    }

    private static boolean isMadeHere(PathState state) {
        return state instanceof PathState.Held held
                && held.transfer().manifest().kind() == TransferKind.MAKE_DIRECTORY;
    }

    /** The name that the far end knows while the renames that were accepted here are under way. */
    private static String nameBeforeRenames(PathState state, String name) {
        if (state instanceof PathState.Held held) {
            return held.transfer().manifest().name();
        }
        return state instanceof PathState.AtFarEnd far ? far.name() : name;
    }

    private static void heard(
            ChangeSubject subject,
            String asked,
            Outcome<RemoteFile> outcome,
            Consumer<ChangeSubject> found,
            Consumer<RequestFailure> refused) {
        Refusal refusal = outcome.refusal();
        if (refusal != null && refusal.code() == ErrorCode.UNREACHABLE) {
            refused.accept(new RequestFailure(
                    RequestFailure.Reason.FAILED,
                    refusal.detail() + ", and it alone knows whether it is empty; try again later"));
        } else {
            boolean isNew = refusal != null
                    && refusal.code() == ErrorCode.NOT_FOUND
                    && asked.equals(subject.place().name());
            found.accept(new ChangeSubject(subject.path(), subject.place(), true, isNew));
        }
    }
}
