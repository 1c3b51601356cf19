package io.hawser.agentb.deliver.ftp;

/** Agent-b itself lacks disk space for now. */
final class LocalShortageException extends SessionIntactException {
    LocalShortageException(String reason) {
        super(reason);
    }
}
