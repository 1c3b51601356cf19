package io.hawser.agentb;

import io.hawser.agentb.files.CallServer;
import io.hawser.agentb.files.DirectoryFiles;
import io.hawser.agentb.serve.FarFiles;
import io.hawser.core.buffer.FragmentBufferPool;
import io.hawser.store.storage.Storage;
import io.hawser.store.storage.TimeChanges;
import java.io.IOException;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * What is shown to the near edge, in use.
 *
 * @param calls answers its questions
 * @param shown how it is named in status; without secrets
 * @param far the client of a far server, or null for a directory
 */
record FileService(CallServer calls, String shown, @Nullable FarFiles far) implements AutoCloseable {
    /** Answers on their way out. */
    private static final int ANSWER_BUFFERS = 12;

    /** Prepares it; nothing is dialled yet. */
    static FileService open(
            Served served, Storage storage, TimeChanges timeChanges, int fragmentSizeBytes, Executor loop)
            throws IOException {
        FragmentBufferPool memory = new FragmentBufferPool(fragmentSizeBytes, ANSWER_BUFFERS);
        if (served instanceof Served.Far server) {
            FarFiles files = FarFiles.create(storage, server.server(), server.options());
            // A thread for each answer: readers of one slow file wait for each other, and nobody else for them.
            CallServer calls = new CallServer(files, memory, loop, ANSWER_BUFFERS);
            return new FileService(calls, server.server().toString(), files);
        }
        var directory = ((Served.Directory) served).path();
        return new FileService(
                new CallServer(new DirectoryFiles(directory, timeChanges), memory, loop), directory.toString(), null);
    }

    /** Begins to look whether a far server is there. */
    void start() {
        FarFiles files = far;
        if (files != null) {
            files.watchServer();
        }
    }

    /** What keeps it from answering now, or an empty string. */
    String problem() {
        FarFiles files = far;
        return files == null ? "" : files.problem();
    }

    @Override
    public void close() {
        FarFiles files = far;
        if (files != null) {
            files.close(); // ends what the threads of calls wait for
        }
        calls.close();
    }
}
