package io.hawser.common.transport;

import io.hawser.ptcp.PtcpException;
import io.hawser.ptcp.PtcpHandler;
import java.util.function.Consumer;

/** Makes one session with the broker; which broker, over what and with which keys is decided by whoever made this. */
@FunctionalInterface
public interface SessionDialler {
    /**
     * Dials. Ends with the handler's {@code onOpen}, or with {@code failed} and then no call to the handler; both on the loop
     * and not inside this call.
     *
     * @return gives the attempt up; neither is called then. Has no effect on a session that is open. To be called on the loop
     */
    Runnable dial(byte[] greeting, PtcpHandler handler, Consumer<PtcpException> failed);
}
