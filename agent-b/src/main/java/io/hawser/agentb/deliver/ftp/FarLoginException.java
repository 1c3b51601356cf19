package io.hawser.agentb.deliver.ftp;

import io.hawser.agentb.deliver.FarServer;
import java.io.IOException;

/** The far server refuses the login. Agent-b tries again less often than after other failures, so that the server does not lock the account. */
public final class FarLoginException extends IOException {
    FarLoginException(FarServer server, int code, String reply, String hint) {
        super(server.host() + " refuses the login of \"" + server.user() + "\" (" + code + "): \""
                + FarRefusedException.shown(reply) + "\"; " + hint);
    }
}
