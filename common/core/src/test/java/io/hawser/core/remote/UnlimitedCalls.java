package io.hawser.core.remote;

/** Lets a principal ask as much as it likes. */
public final class UnlimitedCalls implements CallAllowance {
    @Override
    public boolean tryAsk() {
        return true;
    }

    @Override
    public void askOver() {}

    @Override
    public boolean tryTakeAnswer(int most) {
        return true;
    }

    @Override
    public void giveAnswer() {}
}
