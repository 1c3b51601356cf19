package io.hawser.core.access;

import io.hawser.core.access.PrincipalLimits.Kind;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Refusal;
import io.hawser.core.hop.SenderAllowance;
import io.hawser.core.remote.AskerAllowance;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts what one principal uses at the broker, over all its sessions, against its limits. A use above a limit is refused with a reason.
 * Above a rate or memory limit, which recovers, the broker stops reading the principal's sessions until the use is below it.
 *
 * <p>Thread: the relay's loop.
 */
public final class PrincipalUse implements SenderAllowance, AskerAllowance {
    private static final double PERCENT = 100;

    private final String name;
    private final int poolBuffers;
    private final Rate messages;
    private final Rate records;
    private PrincipalLimits limits;
    private int sessions;
    private int open;
    private int buffers;
    private int calls;
    private int answers;

    /**
     * Creates it without any use.
     *
     * @param name the principal's name in messages
     * @param poolBuffers the buffers of all principals together
     * @param steadyNanos a monotonic clock
     */
    public PrincipalUse(String name, PrincipalLimits limits, int poolBuffers, LongSupplier steadyNanos) {
        this.name = name;
        this.limits = limits;
        this.poolBuffers = poolBuffers;
        this.messages = new Rate(limits.most(Kind.MESSAGES), steadyNanos);
        this.records = new Rate(limits.most(Kind.RECORDS), steadyNanos);
    }

    /** Changes the limits. A use above them is not revoked. */
    public void limits(PrincipalLimits changed) {
        limits = changed;
        messages.perSecond(changed.most(Kind.MESSAGES));
        records.perSecond(changed.most(Kind.RECORDS));
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

    /** Why it may not have one more than {@code count} subscriptions; null if it may. */
    public @Nullable Refusal whyNoSubscription(long count) {
        return whyNoMore(name, Kind.SUBSCRIPTIONS, count, limits);
    }

    /** One of its sessions is up. */
    public void sessionUp() {
        sessions++;
    }

    /** One of its sessions is over. */
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
        messages.take();
    }

    @Override
    public void recordWritten() {
        records.take();
    }

    @Override
    public boolean isOverRate() {
        return messages.isOver() || records.isOver();
    }

    // --- status
    /** The principal's name. */
    public String name() {
        return name;
    }

    /** Sessions that are up. */
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
            case SUBSCRIPTIONS -> throw new IllegalArgumentException("subscriptions are counted elsewhere");
        };
    }

    /** How often it exceeded a rate. */
    public long timesOverRate() {
        return messages.timesOver + records.timesOver;
    }

    /** A token bucket: {@code perSecond} a second, and as many at once after an idle second. */
    private static final class Rate {
        private static final double NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);

        private final LongSupplier steadyNanos;
        private int perSecond;
        private double left;
        private long filledNanos;
        private long total;
        private long timesOver;

        Rate(int perSecond, LongSupplier steadyNanos) {
            this.perSecond = perSecond;
            this.steadyNanos = steadyNanos;
            this.left = perSecond;
            this.filledNanos = steadyNanos.getAsLong();
        }

        void perSecond(int changed) {
            perSecond = changed;
            left = Math.min(left, changed);
        }

        void take() {
            total++;
            left -= 1;
            if (left < 0 && left >= -1) {
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

        private void fill() {
            long now = steadyNanos.getAsLong();
            left = Math.min(perSecond, left + perSecond * ((now - filledNanos) / NANOS_PER_SECOND));
            filledNanos = now;
        }
    }
}
