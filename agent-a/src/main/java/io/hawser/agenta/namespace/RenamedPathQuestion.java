package io.hawser.agenta.namespace;

import io.hawser.agenta.namespace.Namespace.Place;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A question to the far end about a path to which renames are on their way. Of several far ends one answers, and nobody here knows how many
 * of the renames that one has made. The oldest name is asked first: where it is missing, its rename has been made. An answer that may be
 * about something else is refused.
 *
 * <p>Thread: the loop. Answers may come inside the call.
 *
 * @param <T> what the far end says
 */
final class RenamedPathQuestion<T> {
    private final FarNamespace far;
    private final Place place;
    private final PathState.AtFarEnd state;
    private final Question<T> question;
    private final Answer<T> answer;
    /** What was said of an older name that is, or is below, a file: it counts if nothing is at the newer names. */
    private @Nullable Outcome<T> file;

    /** Asks the far end about one name. */
    interface Question<T> {
        void ask(Place place, Outcome.Callback<T> done);
    }

    /** Hears what the far end says, and the name of the path there. */
    interface Answer<T> {
        void heard(Place farPlace, Outcome<T> outcome);
    }

    /** @param state of {@code place}, to which a rename is on its way */
    RenamedPathQuestion(
            FarNamespace far, Place place, PathState.AtFarEnd state, Question<T> question, Answer<T> answer) {
        this.far = far;
        this.place = place;
        this.state = state;
        this.question = question;
        this.answer = answer;
    }

    void ask() {
        if (!state.nameReused()) {
            ask(state.names());
        } else if (state.renamedSomewhere()) {
            question.ask(place, outcome -> answer.heard(place, isMissing(outcome) ? undecided() : outcome));
        } else {
            answer.heard(place, undecided());
        }
    }

    private void ask(List<String> names) {
        Place asked = new Place(place.topic(), names.get(0));
        List<String> newer = names.subList(1, names.size());
        question.ask(asked, outcome -> {
            if (isMissing(outcome) && !newer.isEmpty()) {
                file = has(outcome, ErrorCode.NOT_DIRECTORY) ? outcome : file;
                ask(newer);
            } else if (file != null && has(outcome, ErrorCode.NOT_FOUND)) {
                answer.heard(asked, file);
            } else if (outcome.isRefused() || newer.isEmpty() || !state.renamedSomewhere()) {
                answer.heard(asked, outcome);
            } else {
                acceptIfNothingIsAtTheNewName(asked, outcome);
            }
        });
    }

    /** A far end that has made the rename may have got something else at the older name since. */
    private void acceptIfNothingIsAtTheNewName(Place asked, Outcome<T> outcome) {
        far.stat(place, false, newer -> {
            if (isMissing(newer)) {
                answer.heard(asked, outcome);
            } else {
                Refusal refusal = newer.refusal();
                answer.heard(place, refusal == null ? undecided() : Outcome.refused(refusal));
            }
        });
    }

    private static boolean isMissing(Outcome<?> outcome) {
        return has(outcome, ErrorCode.NOT_FOUND) || has(outcome, ErrorCode.NOT_DIRECTORY);
    }

    private static boolean has(Outcome<?> outcome, ErrorCode code) {
        Refusal refusal = outcome.refusal();
        return refusal != null && refusal.code() == code;
    }

    private static <T> Outcome<T> undecided() {
        return Outcome.refused(RequestFailure.beingRenamed());
    }
}
