package io.hawser.agenta.http;

import io.hawser.agenta.account.Permission;
import io.hawser.agenta.download.DownloadWindow.Range;
import io.hawser.agenta.download.RequestedRange;
import io.hawser.agenta.download.SourceSearch;
import io.hawser.agenta.download.VersionedSource;
import io.hawser.agenta.namespace.PathFacts;
import io.hawser.agenta.namespace.RequestFailure;
import io.hawser.core.ftp.FtpPath;
import io.hawser.ops.http.ExchangeListener;
import io.hawser.ops.http.ResponseHead;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * GET and HEAD of a file: finds it, evaluates the client's conditions and ranges, and begins the download. What turns out to be a directory is
 * redirected to its name with a slash.
 *
 * <p>Thread: the loop.
 */
final class FileRequest implements ExchangeListener {
    /** A page that is served may neither run scripts nor load anything. */
    private static final String NO_SCRIPTS = "default-src 'none'; sandbox";

    private final ClientRequest request;
    private final SourceSearch search;

    FileRequest(ClientRequest request) {
        this.request = request;
        this.search = new SourceSearch(
                request.services().files().downloads(),
                request.path(),
                request.account().name(),
                request.isHead() ? new RequestedRange(0, 0) : ahead(request),
                this::found,
                this::refused);
    }

    /** What is worth reading ahead while the file is looked for: a range of one beginning. */
    private static RequestedRange ahead(ClientRequest request) {
        Optional<List<Range>> ranges =
                request.head().header("Range").flatMap(header -> ByteRanges.parse(header, Long.MAX_VALUE));
        return ranges.filter(all -> all.size() == 1)
                .map(all -> new RequestedRange(all.get(0).from(), all.get(0).to()))
                .orElse(RequestedRange.ALL);
    }

    void begin() {
        if (request.require(Permission.READ)) {
            request.phase(this);
            search.begin();
        }
    }

    @Override
    public void onGone() {
        search.cancel();
    }

    private void refused(RequestFailure failure) {
        if (failure.equals(RequestFailure.conflict(RequestFailure.IS_DIRECTORY))) {
            request.respond(ClientRequest.text(301).with("Location", location(request.path())), "Is a directory");
        } else {
            request.refuse(failure);
        }
    }

    private static String location(FtpPath directory) {
        return directory.segments().stream()
                .skip(directory.hidden())
                .map(RequestTarget::encodeSegment)
                .collect(Collectors.joining("/", "/", "/"));
    }

    private void found(VersionedSource source, PathFacts facts) {
        if (!request.isOpen()) {
            return;
        }
        EntityTag tag = EntityTag.of(source.version());
        Preconditions conditions =
                new Preconditions(request.head(), tag, facts.modifiedMillis(), System.currentTimeMillis());
        switch (conditions.forReading()) {
            case FAILED -> request.refuse(412, "the file is not the one that was meant");
            case NOT_MODIFIED -> request.respond(described(ResponseHead.of(304), tag, facts), "");
            case PROCEED -> send(source, tag, facts, conditions);
        }
    }

    private void send(VersionedSource source, EntityTag tag, PathFacts facts, Preconditions conditions) {
        long size = source.sizeBytes();
        Optional<List<Range>> ranges = request.isHead() || !conditions.allowsRange()
                ? Optional.empty()
                : request.head().header("Range").flatMap(header -> ByteRanges.parse(header, size));
        if (request.isHead()) {
            if (request.beginResponse(whole(tag, facts), size)) {
                request.exchange().finish();
            }
        } else if (ranges.isEmpty()) {
            Multipart whole = Multipart.one(new Range(0, size));
            new FileDownload(request, source, whole).begin(whole(tag, facts));
        } else if (ranges.get().isEmpty()) {
            request.respond(
                    ClientRequest.text(416).with("Content-Range", "bytes */" + size),
                    "the file has only " + size + " bytes");
        } else {
            sendParts(source, ranges.get(), described(ResponseHead.of(206), tag, facts), facts);
        }
    }

    private void sendParts(VersionedSource source, List<Range> ranges, ResponseHead head, PathFacts facts) {
        String type = MediaTypes.of(facts.name());
        if (ranges.size() == 1) {
            Multipart one = Multipart.one(ranges.get(0));
            String place = Multipart.contentRange(ranges.get(0), source.sizeBytes());
            new FileDownload(request, source, one)
                    .begin(head.with("Content-Type", type).with("Content-Range", place));
        } else {
            Multipart parts = Multipart.of(ranges, type, source.sizeBytes());
            new FileDownload(request, source, parts).begin(head.with("Content-Type", parts.contentType()));
        }
    }

    private static ResponseHead whole(EntityTag tag, PathFacts facts) {
        return described(ResponseHead.of(200), tag, facts).with("Content-Type", MediaTypes.of(facts.name()));
    }

    private static ResponseHead described(ResponseHead head, EntityTag tag, PathFacts facts) {
        ResponseHead described = head.with("ETag", tag.toString())
                .with("Accept-Ranges", "bytes")
                .with("Cache-Control", "no-cache")
                .with("X-Content-Type-Options", "nosniff")
                .with("Content-Security-Policy", NO_SCRIPTS);
        return facts.modifiedMillis() > 0
                ? described.with("Last-Modified", HttpDates.write(facts.modifiedMillis()))
                : described;
    }
}
