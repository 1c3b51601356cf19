package io.hawser.agenta.download;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * The bound on the blocks that all downloads have asked for and not yet used. Each gets its share, which is smaller the more there
 * are; with more downloads than blocks they take turns. A download whose client reads nothing has to give its blocks back when
 * others wait for them (it asks for them again when its client continues), so a client that never reads harms no others; and one that gets
 * no answers takes back its questions down to its share.
 *
 * <p>Thread: the loop.
 */
final class ReadBudget {
    private static final Duration LOOK_FOR_STALLED = Duration.ofMillis(250);
    /** A download that has used nothing at so many looks, one after the other, gets no answers. */
    private static final int QUIET_LOOKS = 4;

    private final int total;
    private final int ahead;
    private final ScheduledExecutorService loop;
    private final List<Member> members = new ArrayList<>();
    private final Set<Member> waiting = new LinkedHashSet<>();
    private int taken;
    private boolean looking;

    /**
     * @param total blocks of all downloads together
     * @param ahead blocks of one download
     * @param loop the loop
     */
    public ReadBudget(int total, int ahead, ScheduledExecutorService loop) {
        if (total < 1 || ahead < 1) {
            throw new IllegalArgumentException("a download needs a block");
        }
        this.total = total;
        this.ahead = ahead;
        this.loop = loop;
    }

    /** What the budget asks of a download. */
    interface Holder {
        /** A block may be taken now. Not called inside {@link Member#tryTake}. */
        void mayTake();

        /** Its client has taken nothing for a while, so it gives back all that it holds. */
        void giveBackIfStalled();

        /** Others wait, and it gets no answers: it takes back the latest of its questions, so many at most. */
        void askForFewer(int blocks);
    }

    Member join(Holder holder) {
        Member member = new Member(holder);
        members.add(member);
        return member;
    }

    /** How many blocks are out. */
    public int taken() {
        return taken;
    }

    private int share() {
        return Math.max(1, Math.min(ahead, total / Math.max(1, members.size())));
    }

    private void serve() {
        while (taken < total && !waiting.isEmpty()) {
            Member next = waiting.iterator().next();
            waiting.remove(next);
            next.holder.mayTake();
        }
    }

    private void lookForStalled() {
        if (looking) {
            return;
        }
        looking = true;
        var unused = loop.schedule(
                () -> {
                    looking = false;
                    if (!waiting.isEmpty()) {
                        List.copyOf(members).forEach(member -> member.holder.giveBackIfStalled());
                        List.copyOf(members).forEach(Member::shrinkIfQuiet);
                    }
                    if (!waiting.isEmpty()) {
                        lookForStalled();
                    }
                },
                LOOK_FOR_STALLED.toMillis(),
                TimeUnit.MILLISECONDS);
    }

    /** One download's part. */
    final class Member {
        private final Holder holder;
        private int held;
        private boolean gaveBack;
        private int quietLooks;

        private Member(Holder holder) {
            this.holder = holder;
        }

        /** Takes the right to one block. If there is none, {@link Holder#mayTake} follows when there may be one. */
        boolean tryTake() {
            if (held >= share()) {
                return false; // its own blocks come back, and it asks again then
            }
            if (taken == total) {
                waiting.add(this);
                lookForStalled();
                return false;
            }
            taken++;
            held++;
            return true;
        }

        /** A block was released, or is no longer asked for. */
        void giveBack() {
            taken--;
            held--;
            gaveBack = true;
            serve();
        }

        private void shrinkIfQuiet() {
            quietLooks = gaveBack ? 0 : quietLooks + 1;
            gaveBack = false;
            if (quietLooks >= QUIET_LOOKS && held > share()) {
                holder.askForFewer(held - share());
            }
        }

        /** The download is over; what it still holds it gives back later. */
        void leave() {
            members.remove(this);
            waiting.remove(this);
        }
    }
}
