package io.hawser.agentb.deliver.ftp;

import java.io.IOException;

/** Something went wrong with one object; the session with the far server is whole. */
abstract class SoundSessionException extends IOException {
    SoundSessionException(String reason) {
        super(reason);
    }
}
