package io.hawser.agenta.download;

import io.hawser.agenta.namespace.Namespace.Place;
import io.hawser.agenta.namespace.NamespaceService;
import io.hawser.agenta.namespace.PathFacts;
import io.hawser.agenta.namespace.PathLookup;
import io.hawser.agenta.namespace.RequestFailure;
import io.hawser.core.ftp.FtpPath;
import io.hawser.core.remote.RemoteFile;
import io.hawser.store.spool.TransferSnapshot;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds what a download reads: the spool's copy of what is on its way, otherwise the file at the far end. A file that is on its way and
 * not kept here any more is looked for a few times: it may just have arrived.
 *
 * <p>Thread: the loop.
 */
public final class SourceSearch {
    private static final int LOOKS = 8;
    private static final long BETWEEN_LOOKS_MILLIS = 250;
    private static final String ON_ITS_WAY = "it is on its way to the far end and not kept here; try again later";

    private final DownloadService downloads;
    private final FtpPath path;
    private final String account;
    private final RequestedRange wanted;
    private final BiConsumer<VersionedSource, PathFacts> found;
    private final Consumer<RequestFailure> refused;
    private int looks;
    private boolean answered;
    private boolean over;
    private @Nullable InitialReadAhead ahead;

    /** The fingerprint of the version that is read ahead. */
    private String aheadOf = "";

    /**
     * A search that has not begun; one of the two callbacks is called.
     *
     * @param wanted what will be read of the file, whatever its size: its beginning is read ahead
     */
    public SourceSearch(
            DownloadService downloads,
            FtpPath path,
            String account,
            RequestedRange wanted,
            BiConsumer<VersionedSource, PathFacts> found,
            Consumer<RequestFailure> refused) {
        this.downloads = downloads;
        this.path = path;
        this.account = account;
        this.wanted = wanted;
        this.found = found;
        this.refused = refused;
    }

    /** Begins. The answer may come inside the call. */
    public void begin() {
        look();
    }

    /** The answer is no longer wanted. */
    public void cancel() {
        over = true;
        dropAhead();
    }

    private void look() {
        if (over) {
            return;
        }
        PathLookup paths = downloads.names().paths();
        Optional<RemoteFile> told = looks == 0 ? paths.told(path) : Optional.empty();
        answered = false;
        paths.findAnew(
                path,
                account,
                answer -> {
                    answered = true;
                    answered(answer);
                    dropAhead();
                },
                (why, failure) -> {
                    answered = true;
                    refuse(failure);
                    dropAhead();
                });
        if (!answered) { // the question leaves first, so that its answer does not come after the blocks
            told.ifPresent(this::beginAhead);
        }
    }

    private void beginAhead(RemoteFile version) {
        NamespaceService names = downloads.names();
        Place place = names.place(path).orElseThrow();
        long size = version.sizeBytes();
        aheadOf = version.fingerprint();
        ahead = InitialReadAhead.begin(
                downloads.remote(version, place, place.name()),
                downloads.loop(),
                Math.min(wanted.from(), size),
                Math.min(wanted.end(size), size));
    }

    /** A source that is being read by now stays. */
    private void dropAhead() {
        if (ahead != null) {
            ahead.end();
            ahead = null;
        }
    }

    private void answered(PathLookup.Found answer) {
        TransferSnapshot copy = answer.copy();
        RemoteFile remote = answer.remote();
        Place farPlace = answer.farPlace();
        if (answer.facts().directory()) {
            refuse(RequestFailure.conflict(RequestFailure.IS_DIRECTORY));
        } else if (copy != null) {
            open(downloads.copy(copy), answer.facts());
        } else if (remote != null && farPlace != null) {
            open(sourceOf(remote, farPlace), answer.facts());
        } else if (looks++ < LOOKS) {
            var unused = downloads.loop().schedule(this::look, BETWEEN_LOOKS_MILLIS, TimeUnit.MILLISECONDS);
        } else {
            refuse(RequestFailure.busy(ON_ITS_WAY));
        }
    }

    private VersionedSource sourceOf(RemoteFile version, Place place) {
        InitialReadAhead begun = ahead;
        return begun != null && aheadOf.equals(version.fingerprint())
                ? begun
                : downloads.remote(
                        version,
                        place,
                        downloads.names().place(path).orElseThrow().name());
    }

    private void open(VersionedSource source, PathFacts facts) {
        if (!over) {
            over = true;
            found.accept(source, facts);
        }
    }

    private void refuse(RequestFailure failure) {
        if (!over) {
            over = true;
            refused.accept(failure);
        }
    }
}
