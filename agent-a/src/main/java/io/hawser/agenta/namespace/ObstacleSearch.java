package io.hawser.agenta.namespace;

import io.hawser.agenta.namespace.Namespace.Place;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.remote.CallTimeouts;
import io.hawser.core.remote.RemoteFile;
import io.hawser.core.remote.RemoteFiles;
import io.hawser.store.landing.LandingOptions;
import io.hawser.store.spool.Spool;
import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether something is in the way of a new name: a file, or a symbolic link, where a directory would have to be. What is
 * on its way from here is known here; otherwise the far end is asked, for a short time only, and believed for as long as
 * listings are. While it does not answer, away or not, nothing is in the way: the far end decides when the upload arrives, and its
 * receipt tells.
 *
 * <p>Thread: the loop.
 */
public final class ObstacleSearch {
    /** Of a whole search. Longer than a far end takes that is there, and short for a client that uploads while it is not. */
    private static final Duration PATIENCE = Duration.ofMillis(250);

    private static final CallTimeouts OF_A_LOOK = new CallTimeouts(PATIENCE, PATIENCE);
    /** Of a look at an upload's own name, which costs time only where the upload ends before the answer comes. */
    private static final CallTimeouts OF_A_TARGET = new CallTimeouts(PATIENCE, Duration.ofSeconds(1));

    /** Renames that end while a directory is asked for change its name; that often it is asked for again. */
    private static final int LOOKS = 4;

    /** More uploads in a second ask for their own names no more: many small files must not cost a question each. */
    static final int TARGETS_A_SECOND = 50;

    private static final String NONE = "";

    private final Spool spool;
    private final PendingNames pending;
    private final RemoteFiles remote;
    private final EventLoop loop;
    private final ObstacleAnswerCache answers;
    private final Set<Search> waiting = new HashSet<>();
    private final LongSupplier nanoClock;
    private long secondBeganNanos;
    private int targetsThisSecond;

    ObstacleSearch(Spool spool, PendingNames pending, RemoteFiles remote, EventLoop loop, LongSupplier nanoClock) {
        this.spool = spool;
        this.pending = pending;
        this.remote = remote;
        this.loop = loop;
        this.nanoClock = nanoClock;
        this.secondBeganNanos = nanoClock.getAsLong();
        this.answers = new ObstacleAnswerCache(nanoClock);
    }

    /** Why nothing new may ever have that name, or an empty text. */
    public static String unusable(Place place) {
        return PrintableNames.isShown(place.name())
                ? reserved(place)
                : "A new name must not contain control characters";
    }

    private static String reserved(Place place) {
        return place.name().startsWith(LandingOptions.DIRECTORY_PREFIX)
                ? "Permission denied: names that begin with " + LandingOptions.DIRECTORY_PREFIX
                        + " are kept for incomplete files"
                : "";
    }

    /**
     * Looks at the directories above {@code place}. The answer may come inside this call.
     *
     * @param made whether those that are missing are made with it
     * @param done hears the obstacle in POSIX's words, or an empty text
     */
    public void above(Place place, boolean made, Consumer<String> done) {
        Place directory = place.parent();
        new Search(directory, made, done).look(directory);
    }

    /**
     * Looks whether a file can get the name {@code place}. The answer may come inside this call.
     *
     * @param done hears the obstacle in POSIX's words, or an empty text: nothing is known to be in the way
     */
    public void at(Place place, Consumer<String> done) {
        boolean asked = pending.stateAt(place) instanceof PathState.AtFarEnd far
                && far.name().equals(place.name())
                && !answers.isSlow(place.topic())
                && mayAskForTarget();
        if (!asked) {
            done.accept(NONE);
            return;
        }
        boolean[] over = {false};
        ScheduledFuture<?> timeout = loop.schedule(
                () -> {
                    over[0] = true;
                    answers.unanswered(place.topic());
                    done.accept(NONE);
                },
                OF_A_TARGET.silent().toNanos(),
                TimeUnit.NANOSECONDS);
        remote.stat(place.topic(), place.name(), OF_A_TARGET, outcome -> {
            if (!over[0]) {
                timeout.cancel(false);
                Refusal refusal = outcome.refusal();
                if (refusal != null && refusal.code() == ErrorCode.UNREACHABLE) {
                    answers.unanswered(place.topic());
                }
                done.accept(atTarget(outcome));
            }
        });
    }

    private boolean mayAskForTarget() {
        long now = nanoClock.getAsLong();
        if (now - secondBeganNanos >= TimeUnit.SECONDS.toNanos(1)) {
            secondBeganNanos = now;
            targetsThisSecond = 0;
        }
        return ++targetsThisSecond <= TARGETS_A_SECOND;
    }

    /** A link is replaced by a file, whatever it leads to. */
    private static String atTarget(Outcome<RemoteFile> outcome) {
        Refusal refusal = outcome.refusal();
        if (refusal != null) {
            return refusal.code() == ErrorCode.BAD_NAME ? refusal.detail() : NONE;
        }
        return outcome.get().isDirectory() && !outcome.get().isLink() ? RequestFailure.IS_DIRECTORY : NONE;
    }

    /** Something was done to {@code place} through this server: what was said of it before no longer holds. */
    void changed(Place place) {
        answers.changed(place);
        for (Search search : waiting) {
            search.outdated |= place.isAtOrAbove(search.directory);
        }
    }

    /** One search: from a directory upwards, until something is known. */
    private final class Search {
        private final Place directory;
        private final boolean made;
        private final Consumer<String> done;
        private int looks = LOOKS;
        private boolean over;
        private boolean outdated;
        /** What the far end says of {@link #directory} under this name: whether it is there; null if that is not known. */
        private @Nullable Boolean there;

        private @Nullable ScheduledFuture<?> timeout;

        Search(Place directory, boolean made, Consumer<String> done) {
            this.directory = directory;
            this.made = made;
            this.done = done;
        }

        void look(Place at) {
            if (at.isTopic()) {
                end(NONE);
                return;
            }
            PathState state = pending.stateAt(at);
            if (state instanceof PathState.Held here) {
                end(here.isDirectory() ? NONE : RequestFailure.NOT_DIRECTORY);
            } else if (state instanceof PathState.AtFarEnd far) {
                lookThere(at, far);
            } else {
                missing(at);
            }
        }

        private void lookThere(Place at, PathState.AtFarEnd far) {
            if (far.name().equals(at.name()) && answers.isClear(at, made)) {
                end(NONE);
            } else if (answers.isSlow(at.topic())) {
                unknown();
            } else {
                ask(at, far, far.name(), NONE);
            }
        }

        /**
         * Asks the far end for {@code at}.
         *
         * @param name the name to ask for
         * @param before what was in the way under the older name that was asked for before
         */
        private void ask(Place at, PathState.AtFarEnd far, String name, String before) {
            if (timeout == null) {
                waiting.add(this);
                timeout = loop.schedule(this::unanswered, PATIENCE.toNanos(), TimeUnit.NANOSECONDS);
            }
            remote.stat(at.topic(), name, OF_A_LOOK, outcome -> {
                if (!over) {
                    told(at, far, name, before, outcome);
                }
            });
        }

        /** It is away; or it has the question and does not answer; or both, in several looks. */
        private void unanswered() {
            if (!over) {
                answers.unanswered(directory.topic());
                unknown();
            }
        }

        private void told(Place at, PathState.AtFarEnd far, String name, String before, Outcome<RemoteFile> outcome) {
            Refusal refusal = outcome.refusal();
            boolean moves = !far.name().equals(at.name());
            if (refusal == null && isPlainDirectory(outcome.get())) {
                heard(at, moves, true);
                end(NONE);
            } else if (refusal != null && refusal.code() == ErrorCode.UNREACHABLE) {
                unanswered();
            } else if (!pending.stateAt(at).equals(far)) {
                lookAgain(at);
            } else if (!name.equals(at.name())) {
                ask(at, far, at.name(), obstacle(outcome)); // perhaps the rename has been made there just now
            } else if (refusal == null || refusal.code() != ErrorCode.NOT_FOUND) {
                endUnremembered(obstacle(outcome));
            } else if (moves) {
                endUnremembered(before);
            } else {
                heard(at, false, false);
                missing(at);
            }
        }

        private void lookAgain(Place at) {
            if (looks-- > 0) {
                look(at);
            } else {
                unknown();
            }
        }

        private static boolean isPlainDirectory(RemoteFile file) {
            return file.isDirectory() && !file.isLink() && !file.isBelowLink();
        }

        /**
         * What is not there, not a directory, or reached by a symbolic link is in the way; what the far end refuses for other reasons
         * it has to decide.
         */
        private static String obstacle(Outcome<RemoteFile> outcome) {
            Refusal refusal = outcome.refusal();
            if (refusal == null) {
                return outcome.get().isDirectory() ? RemoteFiles.NOT_WRITTEN_THROUGH : RequestFailure.NOT_DIRECTORY;
            } else if (refusal.code() == ErrorCode.NOT_DIRECTORY) {
                return RequestFailure.NOT_DIRECTORY;
            } else if (refusal.code() == ErrorCode.BAD_NAME) {
                return refusal.detail();
            }
            boolean leadsOut =
                    refusal.code() == ErrorCode.NOT_ALLOWED && refusal.detail().equals(RemoteFiles.LEADS_OUT);
            return leadsOut ? refusal.detail() : NONE;
        }

        private void heard(Place at, boolean moves, boolean isThere) {
            if (at.equals(directory) && !moves) {
                there = isThere;
            }
        }

        private void missing(Place at) {
            if (made || spool.isTouchedBelow(at.topic(), at.name())) {
                look(at.parent());
            } else {
                end(RequestFailure.NO_SUCH_FILE);
            }
        }

        /** It is not known: the far end decides. */
        private void unknown() {
            endUnremembered(NONE);
        }

        private void endUnremembered(String obstacle) {
            there = null;
            end(obstacle);
        }

        private void end(String obstacle) {
            over = true;
            waiting.remove(this);
            if (timeout != null) {
                timeout.cancel(false);
            }
            if (obstacle.isEmpty() && there != null && !outdated) {
                answers.remember(directory, there);
            }
            done.accept(obstacle);
        }
    }
}
