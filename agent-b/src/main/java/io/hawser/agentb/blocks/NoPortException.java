package io.hawser.agentb.blocks;

import io.hawser.core.ftp.PortRange;
import java.io.IOException;

/** No port of {@code --serve-ports} is free. */
public final class NoPortException extends IOException {
    NoPortException(PortRange ports, IOException last) {
        super("no port of " + ports.first() + "-" + ports.last() + " is free for data connections", last);
    }
}
