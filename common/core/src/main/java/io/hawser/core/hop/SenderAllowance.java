package io.hawser.core.hop;

/**
 * The limits on what a sender may use of this node besides its credit. All sessions of one principal share one allowance, so that no
 * number of sessions takes everything.
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
        public boolean tryOpen(int places) {
            return true;
        }

        @Override
        public void closed(int places) {}

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

    /** Takes one more fragment buffer for what is received or being written; false if the sender has its share. */
    boolean tryTakeBuffer();

    /** One buffer is no longer the sender's: its bytes are durable, or given up. */
    void giveBuffer();

    /** Takes the places of one more open transfer, which has several if its description is long; false if there are not so many left. */
    boolean tryOpen(int places);

    /** One open transfer is committed, refused, cancelled or left behind by its session. */
    void closed(int places);

    /** The sentence for a transfer that {@link #tryOpen} did not let in. */
    String openRefusal();

    /** One control message came. */
    void messageReceived();

    /** One record of the log is written for the sender. */
    void recordWritten();

    /** So much was asked for that is refused or changes nothing: an honest sender seldom does that. */
    void refused(int count);

    /** A session was ended because too much of it was damaged or never announced: the next one has to wait. */
    void sessionEndedForFaults();

    /** Whether messages, records or refusals came faster than allowed: nothing more is read from the sender until this is false. */
    boolean isOverRate();
}
