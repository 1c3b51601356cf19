package io.hawser.agenta.namespace;

import io.hawser.core.collection.EvictingMap;
import io.hawser.core.ftp.FtpPath;
import io.hawser.core.model.TransferKey;
import io.hawser.store.spool.Spool;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Directories that were made through this server since it started: what is known to be there while the far end is not heard. What
 * the far end says counts more; a consumer may have taken a directory away there.
 *
 * <p>Bounded: the oldest are forgotten, which does no harm, since making a directory again changes nothing at the far end.
 *
 * <p>Thread: the loop.
 */
public final class CreatedDirectories {
    private static final int MAX = 10_000;

    /** Whether each is known to be new: the far end had nothing at its name just before. */
    private final Map<FtpPath, Boolean> made = new EvictingMap<>(MAX);

    /** It is made by {@code transfer}: if that fails, it is not there, also when a client was told long before that it is accepted. */
    void isBeingMade(FtpPath path, Spool spool, TransferKey transfer) {
        Runnable unused = spool.observe(transfer, state -> {
            if (state.commit() != null && !NamesAfterTransfers.hasEffect(state)) {
                remove(path);
            }
        });
    }

    /** It was made, or was there before. {@code isNew}: the far end had nothing at its name just before. */
    public void add(FtpPath path, boolean isNew) {
        made.put(path, isNew);
    }

    /** It was removed, or is no longer there under this name, and nor is what was below it. */
    public void remove(FtpPath path) {
        made.keySet().removeIf(known -> known.isAtOrBelow(path));
    }

    /** It was renamed, and what is below it with it. */
    public void renamed(FtpPath from, FtpPath to) {
        List<FtpPath> moved =
                made.keySet().stream().filter(known -> known.isAtOrBelow(from)).toList();
        for (FtpPath known : moved) {
            boolean isNew = Boolean.TRUE.equals(made.remove(known));
            List<String> segments = new ArrayList<>(to.segments());
            segments.addAll(known.segments()
                    .subList(from.segments().size(), known.segments().size()));
            add(new FtpPath(segments), isNew);
        }
    }

    /** Whether it was made here and is remembered. */
    public boolean contains(FtpPath path) {
        return made.containsKey(path);
    }

    /** Whether it was made here, is remembered, and nothing was at its name before. */
    public boolean isNew(FtpPath path) {
        return Boolean.TRUE.equals(made.get(path));
    }
}
