package io.hawser.agentb.deliver.ftp;

import java.io.IOException;

/** What the far server has is not what was uploaded to it. The connection itself is whole. */
final class NotTheSameException extends IOException {
    NotTheSameException(String reason) {
        super(reason);
    }
}
