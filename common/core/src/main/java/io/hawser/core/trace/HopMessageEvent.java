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
@Label("Hop Message")
@Category("Hawser")
@Description("A message or a packet of a hop was sent, or has arrived")
@Enabled(false)
@StackTrace(false)
public final class HopMessageEvent extends Event {
    public static final String NAME = "hawser.HopMessage";

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
        HopMessageEvent event = new HopMessageEvent();
        if (event.isEnabled()) {
            event.what = message.getClass().getSimpleName();
            event.sent = sent;
            event.hop = hop;
            event.commit();
        }
    }

    /** @param transfer its key, converted to text only if the event is enabled */
    public static void packet(boolean sent, int hop, Object transfer, long fragment, int offset, int bytes) {
        HopMessageEvent event = new HopMessageEvent();
        if (event.isEnabled()) {
            event.what = PACKET;
            event.sent = sent;
            event.hop = hop;
            event.transfer = transfer.toString();
            event.fragment = fragment;
            event.offset = offset;
            event.bytes = bytes;
            event.commit();
        }
    }
}
