package io.hawser.core.hop;

/**
 * Limits a sender's use of this node besides its credit. All sessions of one principal share one allowance, so that no number of sessions
 * uses up the node.
 *
 * <p>Thread: the receiver's loop.
 */
public interface SenderAllowance {
    /** For a sender that is not limited. */
    SenderAllowance UNLIMITED = new SenderAllowance() {
        @Override
        public boolean tryTakeBuffer() {
            return true;
        }

        @Override
        public void giveBuffer() {}

        @Override
        public boolean tryOpen(int slots) {
            return true;
        }

        @Override
        public void closed(int slots) {}

        @Override
        public String openRefusal() {
            throw new IllegalStateException("nothing is refused here");
        }

        @Override
        public void messageReceived() {}

        @Override
        public void recordWritten() {}

        @Override
        public void refused(int count) {}

        @Override
        public void sessionEndedForFaults() {}

        @Override
        public boolean isOverRate() {
            return false;
        }
    };

    /** Takes one more fragment buffer, for bytes that are received or being written; false if the allowance is used up. */
    boolean tryTakeBuffer();

    /** Returns one buffer: its bytes are durable or dropped. */
    void giveBuffer();

    /** Counts one more open transfer as {@code slots} of the allowance, more than one if its manifest is long; false if not enough are left. */
    boolean tryOpen(int slots);

    /** One open transfer that took {@code slots} is committed, refused, cancelled, or its session has ended. */
    void closed(int slots);

    /** Why {@link #tryOpen} returned false, as a sentence. */
    String openRefusal();

    /** One control message came. */
    void messageReceived();

    /** One record of the log is written for the sender. */
    void recordWritten();

    /** Counts messages and packets that were refused or changed nothing; an honest sender causes few. */
    void refused(int count);

    /** A session was ended because too many of its packets were damaged or never announced; the next one has to wait. */
    void sessionEndedForFaults();

    /** Whether messages, records or refusals came faster than allowed. While it is true nothing more is read from the sender. */
    boolean isOverRate();
}
