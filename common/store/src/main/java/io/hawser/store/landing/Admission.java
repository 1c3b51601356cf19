package io.hawser.store.landing;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.model.Manifest;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether a large transfer may be opened, and what to answer about one that is or was here.
 *
 * <p>Thread: the loop.
 */
final class Admission {
    private static final long MAX_MANIFEST_BYTES = 8 << 20;

    private final LandingContext context;
    private final LandingRegister register;
    private final DeliveryTarget target;
    private final LandingFileCreator opener;
    private final CallbackDispatcher answers;

    Admission(LandingContext context, LandingRegister register, DeliveryTarget target, LandingFileCreator opener) {
        this.context = context;
        this.register = register;
        this.target = target;
        this.opener = opener;
        this.answers = context.answers();
    }

    /** Takes the transfer in, and answers when fragments may come. */
    void open(Manifest manifest, Outcome.Callback<Manifest> done) {
        LandingTransfer known = register.landing(manifest.key());
        if (known != null) {
            openAgain(known, manifest, done);
            return;
        }
        if (register.hasReceipt(manifest.key())) {
            answers.answer(done, () -> manifest);
            return;
        }
        Refusal refusal = refusalOfNew(manifest);
        if (refusal != null) {
            answers.refuse(done, refusal);
            return;
        }
        LandingTransfer landing = new LandingTransfer(manifest, context.nowMillis());
        landing.openWaiters.add(done);
        register.add(landing);
        opener.begin(landing);
    }

    /** Why a transfer that is not known may not come in, or null if it may. */
    @Nullable
    Refusal refusalOfNew(Manifest manifest) {
        if (register.tombstones().endOf(manifest.key()) != null) {
            return new Refusal(ErrorCode.ID_USED, "The transfer was finished or cancelled before.");
        }
        int most = context.options().limits().maxTransfers();
        if (register.unfinished() >= most) {
            return new Refusal(
                    ErrorCode.NO_SPACE,
                    "The destination has " + most
                            + " unfinished transfers, which is as many as it takes. It resumes by itself.");
        }
        if (register.manifestBytes() + manifest.weightBytes() > MAX_MANIFEST_BYTES) {
            return new Refusal(
                    ErrorCode.NO_SPACE,
                    "The names and attributes of unfinished transfers take " + (MAX_MANIFEST_BYTES >> 20)
                            + " MiB at the destination, which is as much as it takes. It resumes by itself.");
        }
        return target.check(manifest);
    }

    private void openAgain(LandingTransfer landing, Manifest manifest, Outcome.Callback<Manifest> done) {
        if (!landing.manifest.equals(manifest)) {
            answers.refuse(done, different());
        } else if (landing.creating) {
            landing.openWaiters.add(done);
        } else if (landing.state() == LandingState.ABANDONED) {
            openAbandoned(landing, done);
        } else {
            openGoingOn(landing, done);
        }
    }

    private void openGoingOn(LandingTransfer landing, Outcome.Callback<Manifest> done) {
        if (!context.space().lackedRoomLately(landing)) {
            answers.answer(done, () -> landing.manifest);
            return;
        }
        context.workers().onNames(context.files()::usableSpaceBytes, (usable, problem) -> {
            Refusal refusal = usable == null ? CallbackDispatcher.storageRefusal(problem) : stillNone(landing, usable);
            if (refusal == null) {
                answers.answer(done, () -> landing.manifest);
            } else {
                answers.refuse(done, refusal);
            }
        });
    }

    private @Nullable Refusal stillNone(LandingTransfer landing, long usable) {
        context.ledger().measured(usable);
        return context.space().stillNone(landing);
    }

    private void openAbandoned(LandingTransfer landing, Outcome.Callback<Manifest> done) {
        Refusal turn = context.space().mustWait(landing);
        if (turn == null) {
            landing.openWaiters.add(done);
            landing.whenSettled(() -> beginAgain(landing));
        } else {
            answers.refuse(done, turn);
        }
    }

    private void beginAgain(LandingTransfer landing) {
        if (landing.state() == LandingState.ABANDONED && register.contains(landing)) {
            landing.become(LandingState.OPEN, "opened again");
            landing.problem = "";
            opener.begin(landing);
        }
    }

    /** What is said to an id that comes with another manifest. */
    static Refusal different() {
        return new Refusal(
                ErrorCode.ID_USED, "The id belongs to another transfer of the same publisher. Use a new one.");
    }
}
