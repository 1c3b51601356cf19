package io.hawser.agentb.deliver.ftp;

import java.io.IOException;

/** One object failed, as when the far file differs from what was uploaded. The session with the far server can be used again. */
class SessionIntactException extends IOException {
    SessionIntactException(String reason) {
        super(reason);
    }
}
