package io.hawser.agentb.deliver.ftp;

import java.io.IOException;

/** Something went wrong with one object; the session with the far server is whole. */
abstract class SessionIntactException extends IOException {
    SessionIntactException(String reason) {
        super(reason);
    }
}
