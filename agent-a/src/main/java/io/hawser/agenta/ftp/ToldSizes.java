package io.hawser.agenta.ftp;

import io.hawser.common.model.TransferKey;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;

/**
 * The sizes that SIZE told of uploads that broke off. APPE has no position: the client sends what follows the size that it was
 * told. If the upload stands elsewhere by then, going on would mix up the bytes.
 *
 * <p>What is told is one byte less than what is here. A client that is told the size of its own file takes that for success
 * and sends nothing (curl -C -, lftp put -c), also if all that is missing is the evidence that this was the end; and then the
 * upload would never be committed. So there is always something left to send.
 *
 * <p>Bounded: the oldest are forgotten. Thread: the loop.
 */
public final class ToldSizes {
    private static final int MAX = 4096;

    private final Map<TransferKey, Long> told = new LinkedHashMap<>();

    /** How far a client is told that its upload came of which {@code durableBytes} are here; empty: nothing worth telling. */
    static OptionalLong of(long durableBytes) {
        return durableBytes > 1 ? OptionalLong.of(durableBytes - 1) : OptionalLong.empty();
    }

    /** A client asks how far its upload came, of which {@code durableBytes} are here; empty: as if it had not begun. */
    public OptionalLong tell(TransferKey key, long durableBytes) {
        OptionalLong size = of(durableBytes);
        size.ifPresent(position -> told(key, position));
        return size;
    }

    /** A client was told that the incomplete upload {@code key} ends at {@code positionBytes}. */
    void told(TransferKey key, long positionBytes) {
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
