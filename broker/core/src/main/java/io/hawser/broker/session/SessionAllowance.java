package io.hawser.broker.session;

import io.hawser.core.hop.SenderAllowance;

/**
 * What one session may use: its principal's allowance, and it is not read while its messages about subscriptions wait.
 *
 * <p>Thread: the relay's loop.
 */
record SessionAllowance(SenderAllowance ofPrincipal, HeldMessages held) implements SenderAllowance {
    @Override
    public boolean isOverRate() {
        return held.isFull() || ofPrincipal.isOverRate();
    }

    @Override
    public boolean tryTakeBuffer() {
        return ofPrincipal.tryTakeBuffer();
    }

    @Override
    public void giveBuffer() {
        ofPrincipal.giveBuffer();
    }

    @Override
    public boolean tryOpen(int slots) {
        return ofPrincipal.tryOpen(slots);
    }

    @Override
    public void closed(int slots) {
        ofPrincipal.closed(slots);
    }

    @Override
    public String openRefusal() {
        return ofPrincipal.openRefusal();
    }

    @Override
    public void messageReceived() {
        ofPrincipal.messageReceived();
    }

    @Override
    public void recordWritten() {
        ofPrincipal.recordWritten();
    }

    @Override
    public void refused(int count) {
        ofPrincipal.refused(count);
    }

    @Override
    public void sessionEndedForFaults() {
        ofPrincipal.sessionEndedForFaults();
    }
}
