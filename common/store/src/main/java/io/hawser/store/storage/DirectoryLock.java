package io.hawser.store.storage;

/** A lock file that is held. The operating system lets go of it when the process ends, however it ends. */
public interface DirectoryLock extends AutoCloseable {
    /** Lets go. Idempotent. */
    @Override
    void close();
}
