package io.hawser.store.landing;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Fragment;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Commit;
import io.hawser.core.model.Manifest;
import io.hawser.store.storage.StorageException;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Receives transfers that arrive whole in one step, checks them, and passes them to SmallWriter and then to the committer.
 * {@link SmallWriter} writes them; then they are the committer's as others are.
 *
 * <p>Thread: the loop.
 */
final class SmallIntake {
    private final LandingContext context;
    private final LandingRegister register;
    private final Admission admission;
    private final Committer committer;
    private final SmallWriter writer;

    SmallIntake(
            LandingContext context,
            LandingRegister register,
            Admission admission,
            Committer committer,
            Consumer<StorageException> fatal) {
        this.context = context;
        this.register = register;
        this.admission = admission;
        this.committer = committer;
        this.writer = new SmallWriter(context, this::onWritten, fatal);
    }

    /** Takes in a transfer that is not known here, and answers when it is committed. */
    void take(Manifest manifest, Fragment fragment, Commit commit, Outcome.Callback<List<String>> done) {
        Refusal refusal = admission.refusalOfNew(manifest);
        if (refusal == null && !isWhole(manifest, fragment, commit)) {
            refusal = new Refusal(ErrorCode.DIGEST_MISMATCH, "The commit's sizes are not those of the transfer.");
        }
        if (refusal != null) {
            context.answers().refuse(done, refusal);
            return;
        }
        LandingTransfer landing = new LandingTransfer(manifest, context.nowMillis());
        landing.commit = commit;
        landing.commitWaiters.add(done);
        landing.workBegan();
        register.add(landing);
        writer.add(landing, fragment, commit);
    }

    private static boolean isWhole(Manifest manifest, Fragment fragment, Commit commit) {
        return commit.sizeBytes() == fragment.length()
                && commit.digest().fragmentSizeBytes() == manifest.fragmentSizeBytes()
                && fragment.length() <= manifest.fragmentSizeBytes()
                && (!manifest.sizeKnown() || manifest.sizeBytes() == commit.sizeBytes());
    }

    private void onWritten(LandingTransfer landing, @Nullable Refusal refusal) {
        Commit commit = landing.commit;
        if (refusal == null && commit != null) {
            committer.verified(landing, commit);
            return;
        }
        register.remove(landing);
        committer.refuse(landing, refusal == null ? CallbackDispatcher.abandoned() : refusal);
        landing.workEnded();
    }
}
