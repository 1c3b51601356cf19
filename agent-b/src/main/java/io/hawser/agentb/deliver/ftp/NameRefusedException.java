package io.hawser.agentb.deliver.ftp;

import java.io.IOException;

/** The far server cannot have a file of this name, and never will. */
final class NameRefusedException extends IOException {
    NameRefusedException(String reason) {
        super(reason);
    }
}
