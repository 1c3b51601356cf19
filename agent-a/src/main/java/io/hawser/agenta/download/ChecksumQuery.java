package io.hawser.agenta.download;

import io.hawser.agenta.namespace.Namespace.Place;
import io.hawser.agenta.namespace.NamespaceService;
import io.hawser.agenta.namespace.PathLookup;
import io.hawser.agenta.namespace.RequestFailure;
import io.hawser.core.ftp.FtpPath;
import io.hawser.core.hop.ErrorCode;
import io.hawser.core.hop.Outcome;
import io.hawser.core.hop.Refusal;
import io.hawser.core.remote.ChecksumAlgorithm;
import io.hawser.core.remote.RemoteFiles;
import io.hawser.store.spool.TransferState;
import java.util.concurrent.TimeUnit;

/**
 * Answers a client's question for the checksum of a range of a file: from the spool's copy, computed here, or from the far end. It can
 * take as long as reading the file.
 *
 * <p>Thread: the loop.
 */
public final class ChecksumQuery {
    private static final int LOOKS = 8;
    private static final long BETWEEN_LOOKS_MILLIS = 250;

    private final DownloadService downloads;
    private final FtpPath path;
    private final String account;
    private final ChecksumAlgorithm algorithm;
    private final ByteSpan span;
    private final Listener listener;
    private Runnable cancelCall = () -> {};
    private int looks;
    private boolean over;

    /**
     * What was computed.
     *
     * @param hex the checksum
     * @param from the first byte
     * @param to the byte after the last one
     */
    public record Result(String hex, long from, long to) {}

    /** What the front hears: one of the last three, once. */
    public interface Listener {
        /** The file was found; the computation begins. */
        void begins();

        void computed(Result result);

        /** The range does not fit the file. */
        void outside(long sizeBytes);

        void refused(RequestFailure failure);
    }

    private ChecksumQuery(
            DownloadService downloads,
            FtpPath path,
            String account,
            ChecksumAlgorithm algorithm,
            ByteSpan span,
            Listener listener) {
        this.downloads = downloads;
        this.path = path;
        this.account = account;
        this.algorithm = algorithm;
        this.span = span;
        this.listener = listener;
    }

    /** Begins. Callbacks may come inside the call. */
    public static ChecksumQuery begin(
            DownloadService downloads,
            FtpPath path,
            String account,
            ChecksumAlgorithm algorithm,
            ByteSpan span,
            Listener listener) {
        ChecksumQuery checksum = new ChecksumQuery(downloads, path, account, algorithm, span, listener);
        checksum.look();
        return checksum;
    }

    /** The answer is no longer wanted. */
    public void cancel() {
        if (!over) {
            over = true;
            cancelCall.run();
        }
    }

    private void look() {
        if (over) {
            return;
        }
        downloads.names().paths().find(path, account, new PathLookup.Listener() {
            @Override
            public void found(PathLookup.Found found) {
                if (!over) {
                    ChecksumQuery.this.found(found);
                }
            }

            @Override
            public void missing(ErrorCode why, RequestFailure failure) {
                refuse(failure);
            }
        });
    }

    private void found(PathLookup.Found found) {
        TransferState own = found.own();
        long size = found.facts().sizeBytes();
        if (found.facts().directory()) {
            refuse(RequestFailure.conflict(RequestFailure.IS_DIRECTORY));
        } else if (span.from() > size || (span.to() != ByteSpan.TO_THE_END && span.to() > size)) {
            over = true;
            listener.outside(size);
        } else if (own == null) {
            listener.begins();
            askTheFarEdge(found, size);
        } else if (found.copy() != null) {
            listener.begins();
            long end = span.end(size);
            cancelCall = CopyChecksum.of(
                    downloads.copy(own),
                    new DownloadWindow.Range(span.from(), end),
                    algorithm,
                    downloads.checksums(),
                    downloads.loop(),
                    outcome -> computed(outcome, end));
        } else if (looks++ < LOOKS) {
            var unused = downloads.loop().schedule(this::look, BETWEEN_LOOKS_MILLIS, TimeUnit.MILLISECONDS);
        } else {
            refuse(RequestFailure.busy(SourceSearch.ON_ITS_WAY));
        }
    }

    private void askTheFarEdge(PathLookup.Found found, long size) {
        NamespaceService names = downloads.names();
        Place place =
                found.farPlace() != null ? found.farPlace() : names.place(path).orElseThrow();
        long end = span.end(size);
        RemoteFiles.Call call = names.remoteFiles()
                .checksum(
                        place.topic(),
                        place.name(),
                        algorithm,
                        span.from(),
                        span.to() == ByteSpan.TO_THE_END ? -1 : end - span.from(),
                        downloads.readTime(),
                        outcome -> computed(outcome, end));
        cancelCall = call::cancel;
    }

    private void computed(Outcome<String> outcome, long end) {
        Refusal refusal = outcome.refusal();
        if (refusal != null) {
            refuse(RequestFailure.ofQuestion(refusal));
        } else if (!over) {
            over = true;
            listener.computed(new Result(outcome.get(), span.from(), end));
        }
    }

    private void refuse(RequestFailure failure) {
        if (!over) {
            over = true;
            listener.refused(failure);
        }
    }
}
