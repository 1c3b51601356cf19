package io.hawser.core.remote;

/**
 * Limits how many questions one principal may have open here, and how many buffers their answers may take, over all its sessions.
 *
 * <p>Thread: the relay's loop.
 */
public interface CallAllowance {
    /** Takes the place of one more question; false if the principal has as many as it may. */
    boolean tryAsk();

    /** One question is answered, refused or cancelled. */
    void askOver();

    /** Takes one more buffer for an answer; false if the principal has {@code most}. */
    boolean tryTakeAnswer(int most);

    /** The bytes of one answer have left, or are not wanted any more. */
    void giveAnswer();
}
