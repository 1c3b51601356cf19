package io.hawser.store.spool;

import io.hawser.core.hop.Fragment;
import io.hawser.core.model.Commit;
import io.hawser.core.model.FragmentRange;
import io.hawser.core.model.FragmentRanges;
import io.hawser.core.model.Manifest;
import io.hawser.core.model.TransferKey;
import io.hawser.store.storage.StorageException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** Writes down what a spool announces. Written on the loop, read by the test through it. */
final class RecordingListener implements SpoolOutlet {
    final List<String> events = new CopyOnWriteArrayList<>();
    final Map<TransferKey, Announced> transfers = new HashMap<>();
    final List<Fragment> kept = new ArrayList<>();
    boolean keeps;

    @Nullable
    StorageException failure;

    /** What was said of one transfer. */
    static final class Announced {
        final Manifest manifest;
        final FragmentRanges available = new FragmentRanges();

        @Nullable
        Commit commit;

        @Nullable
        String cancelled;

        boolean suspended;

        Announced(Manifest manifest) {
            this.manifest = manifest;
        }
    }

    Announced of(TransferKey key) {
        Announced announced = transfers.get(key);
        if (announced == null) {
            throw new AssertionError(key + " was not announced");
        }
        return announced;
    }

    @Override
    public void pending(Manifest manifest, FragmentRanges durable, @Nullable Commit commit, boolean fresh) {
        events.add((fresh ? "pending " : "pending again ") + manifest.name());
        Announced announced = new Announced(manifest);
        announced.available.addAll(durable);
        announced.commit = commit;
        if (transfers.put(manifest.key(), announced) != null) {
            throw new AssertionError(manifest.name() + " was announced twice");
        }
    }

    @Override
    public void small(Manifest manifest, Commit commit, Fragment inMemory) {
        events.add("small " + manifest.name());
        if (keeps) {
            inMemory.buffer().retain();
            kept.add(inMemory);
        }
        Announced announced = new Announced(manifest);
        announced.available.add(0, commit.fragmentCount());
        announced.commit = commit;
        if (transfers.put(manifest.key(), announced) != null) {
            throw new AssertionError(manifest.name() + " was announced twice");
        }
    }

    @Override
    public void available(TransferKey key, FragmentRange range, @Nullable Fragment inMemory) {
        of(key).available.add(range.start(), range.end());
    }

    @Override
    public void committed(TransferKey key, Commit commit) {
        events.add("committed " + of(key).manifest.name());
        of(key).commit = commit;
    }

    @Override
    public boolean cancelled(TransferKey key, String reason) {
        events.add("cancelled " + of(key).manifest.name());
        of(key).cancelled = reason;
        return false; // there is no next hop that would answer
    }

    @Override
    public void recalled(TransferKey key, String reason) {
        events.add("recalled " + reason);
    }

    @Override
    public boolean held(TransferKey key, boolean holds) {
        return true;
    }

    @Override
    public void prioritised(TransferKey key, int priority) {}

    @Override
    public void withdrawn(TransferKey key) {
        events.add("withdrawn " + of(key).manifest.name());
    }

    @Override
    public void suspended(TransferKey key) {
        events.add("suspended " + of(key).manifest.name());
        of(key).suspended = true;
    }

    @Override
    public void resumed(TransferKey key) {
        events.add("resumed " + of(key).manifest.name());
        of(key).suspended = false;
    }

    @Override
    public void storageFailed(StorageException cause) {
        failure = cause;
    }
}
