package io.hawser.agentb.deliver.ftp;

import java.io.IOException;

/** One object failed for now: its far file differs from what was uploaded, or agent-b lacks space. The session with the far server can be used again. */
class SessionIntactException extends IOException {
    SessionIntactException(String reason) {
        super(reason);
    }
}
