package io.hawser.agentb.deliver.ftp;

import java.io.IOException;

/** One object failed; the session with the far server can be used again. */
abstract class SessionIntactException extends IOException {
    SessionIntactException(String reason) {
        super(reason);
    }
}
