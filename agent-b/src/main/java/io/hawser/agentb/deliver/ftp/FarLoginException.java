package io.hawser.agentb.deliver.ftp;

import io.hawser.agentb.deliver.FarServer;
import java.io.IOException;

/** The far server refuses the account. It is asked again less often, so that it does not lock the account. */
public final class FarLoginException extends IOException {
    FarLoginException(FarServer server, int code, String reply, String hint) {
        super(server.host() + " does not let \"" + server.user() + "\" in (" + code + "): \""
                + FarRefusedException.shown(reply) + "\"; " + hint);
    }
}
