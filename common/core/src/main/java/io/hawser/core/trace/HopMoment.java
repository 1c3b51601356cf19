package io.hawser.core.trace;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/**
 * A flight recorder event: a hop message or a packet of a fragment was given to a stream, or has arrived completely. The two ends'
 * events of one packet have the same transfer, fragment and offset.
 *
 * <p>Thread: one.
 */
@Name(HopMoment.NAME)
@Label("Hop Moment")
@Category("Hawser")
@Description("A message or a packet of a hop was sent, or has arrived")
@Enabled(false)
@StackTrace(false)
public final class HopMoment extends Event {
    /** What recordings call it. */
    public static final String NAME = "hawser.HopMoment";

    /** The name of a packet; a message has the name of its class. */
    public static final String PACKET = "Packet";

    @Label("What")
    String what = "";

    @Label("Sent")
    boolean sent;

    @Label("Hop")
    int hop;

    @Label("Transfer")
    String transfer = "";

    @Label("Fragment")
    long fragment;

    @Label("Offset in Fragment")
    int offset;

    @Label("Bytes")
    int bytes;

    /** A message of which it is enough to know that it was there. */
    public static void message(boolean sent, int hop, Object message) {
        HopMoment moment = new HopMoment();
        if (moment.isEnabled()) {
            moment.what = message.getClass().getSimpleName();
            moment.sent = sent;
            moment.hop = hop;
            moment.commit();
        }
    }

    /**
     * A packet.
     *
     * @param transfer its key, of which the text is wanted only if something is recorded
     */
    public static void packet(boolean sent, int hop, Object transfer, long fragment, int offset, int bytes) {
        HopMoment moment = new HopMoment();
        if (moment.isEnabled()) {
            moment.what = PACKET;
            moment.sent = sent;
            moment.hop = hop;
            moment.transfer = transfer.toString();
            moment.fragment = fragment;
            moment.offset = offset;
            moment.bytes = bytes;
            moment.commit();
        }
    }
}
