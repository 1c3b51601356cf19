package io.hawser.core.transport;

import io.hawser.ptcp.PtcpException;
import io.hawser.ptcp.PtcpHandler;
import java.util.function.Consumer;

/** Opens one session with the broker; the implementation decides which broker, over which transport and with which keys. */
@FunctionalInterface
interface SessionDialler {
    /**
     * Dials. Ends with the handler's {@code onOpen}, or with {@code failed} and no call to the handler; both on the loop and not inside this
     * call.
     *
     * @return cancels the attempt, on the loop: then neither is called. Has no effect on an open session
     */
    Runnable dial(byte[] greeting, PtcpHandler handler, Consumer<PtcpException> failed);
}
