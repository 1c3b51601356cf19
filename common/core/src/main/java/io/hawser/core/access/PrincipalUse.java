package io.hawser.core.access;

import io.hawser.core.access.PrincipalLimits.Kind;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Refusal;
import io.hawser.core.hop.SenderAllowance;
import io.hawser.core.remote.CallAllowance;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts what one principal uses at the broker, over all its sessions, against its limits. A use above a limit is refused with a reason.
 * Above a rate or memory limit, which recovers, the broker stops reading the principal's sessions until the use is below it.
 *
 * <p>Thread: the relay's loop.
 */
public final class PrincipalUse implements SenderAllowance, CallAllowance {
    private static final double PERCENT = 100;
    /** A principal may have so many whatever others have. */
    static final int FEW_SESSIONS = 32;

    /** After a broker's start all sessions of a principal come at once. */
    private static final int CONNECTS_AT_ONCE = 10;
    /** How long a principal waits for its next session when one has ended for faults. */
    private static final long FAULT_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final String name;
    private final int poolBuffers;
    private final LongSupplier steadyNanos;
    private final Rate messages;
    private final Rate records;
    private final Rate refusals;
    private final Rate connects;
    private PrincipalLimits limits;
    private int sessions;
    private int open;
    private int buffers;
    private int calls;
    private int answers;
    private boolean faulty;
    private long faultyNanos;

    /**
     * @param name the principal's name in messages
     * @param poolBuffers the buffers of all principals together
     * @param steadyNanos a monotonic clock
     */
    public PrincipalUse(String name, PrincipalLimits limits, int poolBuffers, LongSupplier steadyNanos) {
        this.name = name;
        this.limits = limits;
        this.poolBuffers = poolBuffers;
        this.messages = new Rate(limits.most(Kind.MESSAGES), 1, steadyNanos);
        this.records = new Rate(limits.most(Kind.RECORDS), 1, steadyNanos);
        this.refusals = new Rate(limits.most(Kind.REFUSALS), 1, steadyNanos);
        this.connects = new Rate(limits.most(Kind.CONNECTS), CONNECTS_AT_ONCE, steadyNanos);
        this.steadyNanos = steadyNanos;
    }

    /** Changes the limits. A use above them is not revoked. */
    public void limits(PrincipalLimits changed) {
        limits = changed;
        messages.perSecond(changed.most(Kind.MESSAGES));
        records.perSecond(changed.most(Kind.RECORDS));
        refusals.perSecond(changed.most(Kind.REFUSALS));
        connects.perSecond(changed.most(Kind.CONNECTS));
    }

    /** Why a principal that has {@code count} of a kind may not have one more; null if it may. */
    public static @Nullable Refusal whyNoMore(String name, Kind kind, long count, PrincipalLimits limits) {
        int most = limits.most(kind);
        return count < most
                ? null
                : new Refusal(
                        ErrorCode.NO_SPACE,
                        name + " has " + most + " " + (kind == Kind.OPEN ? "open transfers" : kind.word())
                                + ", the most that one principal may have at this broker; end some, or ask the broker's operator to set "
                                + kind.word() + "= for it in the --acl file");
    }

    /**
     * Why a principal that has {@code count} sessions may not have one more; null if it may. One with many leaves at least as many free,
     * so that a few principals cannot keep all others out.
     *
     * @param free how many more sessions the broker takes in all
     */
    public static @Nullable Refusal whyNoSession(String name, int count, int free, PrincipalLimits limits) {
        Refusal refusal = whyNoMore(name, Kind.SESSIONS, count, limits);
        if (refusal != null || count < FEW_SESSIONS || count < free) {
            return refusal;
        }
        return new Refusal(
                ErrorCode.NO_SPACE,
                name + " has " + count + " sessions, and this broker takes only " + free
                        + " more, which are for others; end some");
    }

    /** Why it may not have one more than {@code count} subscriptions; null if it may. */
    public @Nullable Refusal whyNoSubscription(long count) {
        return whyNoMore(name, Kind.SUBSCRIPTIONS, count, limits);
    }

    /** Whether it may make a session now; if not, it may later. */
    public boolean mayConnect() {
        if (faulty && steadyNanos.getAsLong() - faultyNanos < FAULT_PAUSE_NANOS) {
            return false;
        }
        faulty = false;
        return !connects.isEmpty();
    }

    /** It asked for a session that it did not get. */
    public void connectRefused() {
        connects.take(1);
    }

    @Override
    public void sessionEndedForFaults() {
        faulty = true;
        faultyNanos = steadyNanos.getAsLong();
    }

    public void sessionUp() {
        sessions++;
        connects.take(1);
    }

    public void sessionDown() {
        sessions--;
    }

    @Override
    public boolean tryTakeBuffer() {
        if (buffers >= mostBuffers()) {
            return false;
        }
        buffers++;
        return true;
    }

    private int mostBuffers() {
        return (int) Math.max(1, Math.round(poolBuffers * limits.most(Kind.BUFFERS) / PERCENT));
    }

    @Override
    public void giveBuffer() {
        buffers--;
    }

    @Override
    public boolean tryOpen(int places) {
        if (open > limits.most(Kind.OPEN) - places) {
            return false;
        }
        open += places;
        return true;
    }

    @Override
    public void closed(int places) {
        open -= places;
    }

    @Override
    public String openRefusal() {
        Refusal refusal = whyNoMore(name, Kind.OPEN, Math.max(open, limits.most(Kind.OPEN)), limits);
        return refusal == null ? "" : refusal.detail();
    }

    @Override
    public boolean tryAsk() {
        if (calls >= limits.most(Kind.CALLS)) {
            return false;
        }
        calls++;
        return true;
    }

    @Override
    public void askOver() {
        calls--;
    }

    @Override
    public boolean tryTakeAnswer(int most) {
        if (answers >= most) {
            return false;
        }
        answers++;
        return true;
    }

    @Override
    public void giveAnswer() {
        answers--;
    }

    @Override
    public void messageReceived() {
        messages.take(1);
    }

    @Override
    public void recordWritten() {
        records.take(1);
    }

    @Override
    public void refused(int count) {
        refusals.take(count);
    }

    @Override
    public boolean isOverRate() {
        return messages.isOver() || records.isOver() || refusals.isOver();
    }

    // --- status
    /** The principal's name. */
    public String name() {
        return name;
    }

    public int sessions() {
        return sessions;
    }

    /** Its limit of that kind; for {@code BUFFERS} a number of buffers. */
    public int most(Kind kind) {
        return kind == Kind.BUFFERS ? mostBuffers() : limits.most(kind);
    }

    /** Its use of that kind; of a rate, all since its first session. {@code SUBSCRIPTIONS} are not counted here. */
    public long used(Kind kind) {
        return switch (kind) {
            case SESSIONS -> sessions;
            case OPEN -> open;
            case CALLS -> calls;
            case BUFFERS -> buffers;
            case MESSAGES -> messages.total;
            case RECORDS -> records.total;
            case REFUSALS -> refusals.total;
            case CONNECTS -> connects.total;
            case SUBSCRIPTIONS -> throw new IllegalArgumentException("subscriptions are counted elsewhere");
        };
    }

    /** How often it exceeded a rate. */
    public long timesOverRate() {
        return messages.timesOver + records.timesOver + refusals.timesOver;
    }

    /** A token bucket: {@code perSecond} a second, and as many at once as come together in {@code seconds} of silence. */
    private static final class Rate {
        private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

        private final LongSupplier steadyNanos;
        private final int seconds;
        private int perSecond;
        private double left;
        private long filledNanos;
        private long total;
        private long timesOver;

        Rate(int perSecond, int seconds, LongSupplier steadyNanos) {
            this.perSecond = perSecond;
            this.seconds = seconds;
            this.steadyNanos = steadyNanos;
            this.left = most();
            this.filledNanos = steadyNanos.getAsLong();
        }

        void perSecond(int changed) {
            perSecond = changed;
            left = Math.min(left, most());
        }

        private double most() {
            return (double) perSecond * seconds;
        }

        void take(int count) {
            total += count;
            left -= count;
            if (left < 0 && left >= -count) {
                fill();
                timesOver += left < 0 ? 1 : 0;
            }
        }

        /** Reads the clock only if nothing is left. */
        boolean isOver() {
            if (left < 0) {
                fill();
            }
            return left < 0;
        }

        /** Whether not even one is left. */
        boolean isEmpty() {
            if (left < 1) {
                fill();
            }
            return left < 1;
        }

        private void fill() {
            long now = steadyNanos.getAsLong();
            left = Math.min(most(), left + perSecond * ((now - filledNanos) / NANOS_PER_SECOND));
            filledNanos = now;
        }
    }
}
