package io.hawser.store.spool;

import io.hawser.core.buffer.FragmentBuffer;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.store.content.FragmentFiles;
import io.hawser.store.runtime.LoopMailbox;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/** What uploads and first passes work with. */
record UploadContext(
        TransferLifecycle transfers,
        ActiveUploads uploads,
        SpoolSpace space,
        FragmentFiles files,
        ContentWriter writer,
        ContentReader reader,
        SourceFiles sources,
        FragmentBufferPool pool,
        Executor disk,
        LoopMailbox mailbox) {
    /** Gives one reference of a buffer to {@code user} as soon as there is one; perhaps inside this call. */
    void withBuffer(Consumer<FragmentBuffer> user) {
        FragmentBuffer buffer = pool.tryAcquire();
        if (buffer != null) {
            user.accept(buffer);
        } else {
            pool.whenAvailable(() -> mailbox.post(() -> withBuffer(user)));
        }
    }
}
