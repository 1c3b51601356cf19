package io.hawser.agentb.deliver.ftp;

/** The far server's file differs from what agent-b uploaded. */
final class ContentMismatchException extends SessionIntactException {
    ContentMismatchException(String reason) {
        super(reason);
    }
}
