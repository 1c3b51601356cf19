package io.hawser.watch;

import java.io.IOException;
import java.nio.file.ClosedWatchServiceException;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Says whether something may have changed in some directories. It may say so too often, and where the kernel has no more watches or the file
 * system reports nothing (NFS), never: a scan at intervals finds the rest.
 *
 * <p>Thread: main only.
 */
final class FolderEvents implements AutoCloseable {
    private final WatchService service;
    private final Map<Path, WatchKey> keys = new HashMap<>();
    private boolean exhausted;

    FolderEvents() throws IOException {
        service = FileSystems.getDefault().newWatchService();
    }

    /** Watches these directories, and no others any more. Returns false once, when not all can be watched. */
    boolean watch(List<Path> directories) {
        keys.entrySet().removeIf(entry -> {
            boolean gone = !entry.getValue().isValid();
            if (gone) {
                entry.getValue().cancel();
            }
            return gone;
        });
        for (Path directory : directories) {
            if (!keys.containsKey(directory)) {
                try {
                    keys.put(
                            directory,
                            directory.register(
                                    service,
                                    StandardWatchEventKinds.ENTRY_CREATE,
                                    StandardWatchEventKinds.ENTRY_MODIFY,
                                    StandardWatchEventKinds.ENTRY_DELETE));
                } catch (IOException e) {
                    boolean first = !exhausted;
                    exhausted = true;
                    return !first;
                }
            }
        }
        return true;
    }

    /** Whether anything was reported since the last call. */
    boolean take() {
        boolean any = false;
        try {
            for (WatchKey key = service.poll(); key != null; key = service.poll()) {
                any = true;
                key.pollEvents();
                boolean unused = key.reset();
            }
        } catch (ClosedWatchServiceException e) {
            return false;
        }
        return any;
    }

    @Override
    public void close() throws IOException {
        service.close();
    }
}
