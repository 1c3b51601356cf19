package io.hawser.agenta.namespace;

import io.hawser.core.collection.EvictingMap;
import io.hawser.core.model.Attributes;
import io.hawser.core.model.TransferKey;
import io.hawser.store.spool.Spool;
import io.hawser.store.spool.TransferSnapshot;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The sizes that SIZE told about uploads that broke off. APPE has no position: the client sends what follows the size that it was
 * told. If the upload ends elsewhere by then, the bytes would be mixed up.
 *
 * <p>What is told is one byte less than what is here. A client that is told the size of its own file takes that for success
 * and sends nothing (curl -C -, lftp put -c), also if all that is missing is the evidence that this was the end; and then the
 * upload would never be committed. So there is always something left to send.
 *
 * <p>Bounded: the oldest are forgotten. Thread: the loop.
 */
public final class AdvertisedSizes {
    private static final int MAX = 4096;

    private final Map<TransferKey, Long> told = new EvictingMap<>(MAX);

    /** What is told about an upload whose bytes are here up to {@code positionBytes}. */
    public static long of(long positionBytes) {
        return Math.max(0, positionBytes - 1);
    }

    /**
     * How far a client is told that its upload came, which broke off. Empty if there is no such upload, or no more than one byte of it, or
     * if its bytes were converted: then it is to be sent from its beginning.
     */
    public static OptionalLong of(Spool spool, TransferSnapshot incomplete) {
        OptionalLong position = spool.resumePositionBytes(incomplete.key());
        return position.isPresent() && incomplete.durableBytes() > 1 && !isConverted(incomplete)
                ? OptionalLong.of(of(position.getAsLong()))
                : OptionalLong.empty();
    }

    /** Whether no position of its client is one here, so that it cannot be continued. Only a crash leaves such an upload. */
    public static boolean isConverted(TransferSnapshot incomplete) {
        return incomplete.manifest().attributes().containsKey(Attributes.CONVERTED);
    }

    /** A client asks how far its upload came, see {@link #of(Spool, TransferSnapshot)}; what it is told is remembered. */
    public OptionalLong tell(Spool spool, TransferSnapshot incomplete) {
        OptionalLong size = of(spool, incomplete);
        size.ifPresent(position -> told(incomplete.key(), position));
        return size;
    }

    /** A client was told that the incomplete upload {@code key} ends at {@code positionBytes}. */
    public void told(TransferKey key, long positionBytes) {
        told.remove(key);
        told.put(key, positionBytes);
    }

    /** Whether a client may believe that it ends somewhere else than at {@code positionBytes}. */
    public boolean contradicts(TransferKey key, long positionBytes) {
        return told.getOrDefault(key, positionBytes) != positionBytes;
    }
}
