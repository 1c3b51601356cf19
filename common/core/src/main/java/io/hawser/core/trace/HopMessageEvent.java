package io.hawser.core.trace;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/**
 * A flight recorder event: a hop message or a packet of a fragment was sent, or has arrived completely. The events of one packet at both
 * ends have the same transfer, fragment and offset.
 *
 * <p>Thread: one.
 */
@Name(HopMessageEvent.NAME)
@Label("Hop Moment")
@Category("Hawser")
@Description("A message or a packet of a hop was sent, or has arrived")
@Enabled(false)
@StackTrace(false)
public final class HopMessageEvent extends Event {
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

    /** Records a message by its kind. */
    public static void message(boolean sent, int hop, Object message) {
        HopMessageEvent moment = new HopMessageEvent();
        if (moment.isEnabled()) {
            moment.what = message.getClass().getSimpleName();
            moment.sent = sent;
            moment.hop = hop;
            moment.commit();
        }
    }

    /**
     * Records a packet.
     *
     * @param transfer its key, converted to text only if the event is enabled
     */
    public static void packet(boolean sent, int hop, Object transfer, long fragment, int offset, int bytes) {
        HopMessageEvent moment = new HopMessageEvent();
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
