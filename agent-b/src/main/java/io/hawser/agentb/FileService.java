package io.hawser.agentb;

import io.hawser.agentb.files.CallServer;
import io.hawser.agentb.files.DirectoryFiles;
import io.hawser.agentb.serve.FarFiles;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.store.storage.FileTimeHistory;
import io.hawser.store.storage.Storage;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * Answers agent-a's questions about files: an opened {@link ServedLocation}.
 *
 * @param calls answers the questions
 * @param name for status pages; without secrets
 * @param far the client of a far server, or empty for a directory
 */
record FileService(CallServer calls, String name, Optional<FarFiles> far) implements AutoCloseable {
    /** Answers that are being sent. */
    private static final int ANSWER_BUFFERS = 12;

    /** Opens {@code served}; dials nothing yet. */
    static FileService open(
            ServedLocation served, Storage storage, FileTimeHistory timeChanges, int fragmentSizeBytes, Executor loop)
            throws IOException {
        FragmentBufferPool memory = new FragmentBufferPool(fragmentSizeBytes, ANSWER_BUFFERS);
        if (served instanceof ServedLocation.Far server) {
            FarFiles files = FarFiles.create(storage, server.server(), server.options());
            // A thread for each answer, so that a slow file holds up only its own readers.
            CallServer calls = new CallServer(files, memory, loop, ANSWER_BUFFERS);
            return new FileService(calls, server.server().toString(), Optional.of(files));
        }
        var directory = ((ServedLocation.Directory) served).path();
        return new FileService(
                new CallServer(new DirectoryFiles(directory, timeChanges), memory, loop),
                directory.toString(),
                Optional.empty());
    }

    /** Begins to probe a far server. */
    void start() {
        far.ifPresent(FarFiles::watchServer);
    }

    /** Why it cannot answer now, or an empty string. */
    String problem() {
        return far.map(FarFiles::problem).orElse("");
    }

    @Override
    public void close() {
        far.ifPresent(FarFiles::close); // wakes the threads of calls
        calls.close();
    }
}
