package io.hawser.broker.relay;

import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Refusal;

/**
 * A refusal to admit a transfer or a fragment, and the space that is short.
 *
 * @param space what has no room for it: the name of a quota, or {@link #NODE}
 * @param refusal for its publisher
 *
 * <p>Thread: immutable.
 */
public record AdmissionRefusal(String space, Refusal refusal) {
    /** All that the node itself can hold. */
    public static final String NODE = "";

    /** The node itself has no room, or a rule of its own speaks against it. */
    public static AdmissionRefusal ofNode(ErrorCode code, String detail) {
        return new AdmissionRefusal(NODE, new Refusal(code, detail));
    }
}
