package io.hawser.agentb.blocks;

import io.hawser.core.ftp.PortRange;
import java.io.IOException;

/** None of the ports on which a server's data connections may be awaited is free. */
public final class NoPortException extends IOException {
    NoPortException(PortRange ports, IOException last) {
        super("no port of " + ports.first() + "-" + ports.last() + " is free for data connections", last);
    }
}
