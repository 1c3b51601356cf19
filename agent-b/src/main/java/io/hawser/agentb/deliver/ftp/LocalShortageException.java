package io.hawser.agentb.deliver.ftp;

/** It is on this side that something is missing for now. */
final class LocalShortageException extends SessionIntactException {
    LocalShortageException(String reason) {
        super(reason);
    }
}
