package io.hawser.core.wire;

import io.hawser.core.hop.HopMessage;

/** The limits of the wire format: anything longer is malformed. */
public final class WireLimits {
    /** The most disjoint runs in one message. A receiver with more reports the first ones and acks the others later. */
    public static final int MAX_RUNS = 32_768;
    /** The highest index of a fragment: with the smallest fragments the byte at 2^60. */
    public static final long MAX_INDEX = 1L << 56;
    /**
     * The most subscriptions in a delivery set: with the longest names they just fit in one control message. A broker allows fewer on one
     * topic, see {@code Subscriptions}.
     */
    public static final int MAX_DELIVERY_SET = HopMessage.Committed.MAX_DELIVERY_SET;
    /** The longest reason or detail, in bytes; the sender cuts longer ones. */
    public static final int MAX_TEXT_BYTES = 2048;

    private WireLimits() {}
}
