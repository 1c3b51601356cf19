package io.hawser.agenta.ftp;

import io.hawser.common.model.TransferKey;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The sizes that SIZE told of uploads that broke off. APPE has no position: the client sends what follows the size that it was
 * told. If the upload stands elsewhere by then, going on would mix up the bytes.
 *
 * <p>Bounded: the oldest are forgotten. Thread: the loop.
 */
public final class ToldSizes {
    private static final int MAX = 4096;

    private final Map<TransferKey, Long> told = new LinkedHashMap<>();

    /** A client was told that the incomplete upload {@code key} ends at {@code positionBytes}. */
    public void told(TransferKey key, long positionBytes) {
        told.remove(key);
        told.put(key, positionBytes);
        if (told.size() > MAX) {
            told.remove(told.keySet().iterator().next());
        }
    }

    /** Whether a client may believe that it ends somewhere else than at {@code positionBytes}. */
    boolean contradicts(TransferKey key, long positionBytes) {
        return told.getOrDefault(key, positionBytes) != positionBytes;
    }
}
