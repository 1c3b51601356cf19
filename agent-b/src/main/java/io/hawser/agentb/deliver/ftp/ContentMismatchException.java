package io.hawser.agentb.deliver.ftp;

/** What the far server has is not what was uploaded to it. The connection itself is whole. */
final class ContentMismatchException extends SessionIntactException {
    ContentMismatchException(String reason) {
        super(reason);
    }
}
