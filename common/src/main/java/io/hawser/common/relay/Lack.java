package io.hawser.common.relay;

import io.hawser.common.hop.ErrorCode;
import io.hawser.common.hop.Refusal;

/**
 * Why something may not come in, and who else wants the same room.
 *
 * @param space what has no room for it: the name of a quota, or {@link #NODE}
 * @param refusal for its publisher
 *
 * <p>Thread: immutable.
 */
public record Lack(String space, Refusal refusal) {
    /** All that the node itself can hold. */
    public static final String NODE = "";

    /** The node itself has no room, or a rule of its own speaks against it. */
    public static Lack ofNode(ErrorCode code, String detail) {
        return new Lack(NODE, new Refusal(code, detail));
    }
}
