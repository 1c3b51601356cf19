package io.hawser.agentb.deliver.ftp;

/** The object can never be delivered: the far server cannot keep its name, or the file that a patch is for has changed. */
final class PermanentFailureException extends SessionIntactException {
    PermanentFailureException(String reason) {
        super(reason);
    }
}
