package io.hawser.agentb.deliver.ftp;

/** It is on this side that something is missing for now. */
final class LocalException extends SoundSessionException {
    LocalException(String reason) {
        super(reason);
    }
}
