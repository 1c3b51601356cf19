package io.hawser.agentb.serve;

import java.io.IOException;

/** The server was to dial data connections and did not: there may be a firewall or NAT in between. */
final class NoDataConnectionException extends IOException {
    NoDataConnectionException() {
        super("no data connection came");
    }
}
