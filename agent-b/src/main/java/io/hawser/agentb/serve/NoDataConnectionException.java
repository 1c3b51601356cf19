package io.hawser.agentb.serve;

import java.io.IOException;

/** The server did not dial a data connection in time; a firewall or NAT may block it. */
final class NoDataConnectionException extends IOException {
    NoDataConnectionException() {
        super("the far server dialled no data connection");
    }
}
