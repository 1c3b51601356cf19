package io.hawser.core.transport;

import io.hawser.ptcp.PtcpException;
import io.hawser.ptcp.PtcpHandler;
import java.util.function.Consumer;

/** Opens one session with the broker; the implementation decides which broker, over which transport and with which keys. */
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
