package io.hawser.agenta.http;

import io.hawser.agenta.account.Permission;
import io.hawser.agenta.namespace.DirectoryLister;
import io.hawser.agenta.namespace.RequestFailure;
import io.hawser.ops.http.ExchangeListener;
import io.hawser.ops.http.ResponseBody;
import io.hawser.ops.http.ResponseHead;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * GET and HEAD of a directory: its entries, as a page or as JSON. A listing that may be incomplete is an error: programs that mirror delete
 * what is not listed.
 *
 * <p>Thread: the loop.
 */
final class DirectoryRequest implements ExchangeListener {
    private static final int PIECE_LENGTH = 16 << 10;
    private static final String NO_SCRIPTS = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";

    private final ClientRequest request;
    private final SendStall stall;
    private Iterator<String> lines = List.<String>of().iterator();
    private boolean sending;
    private boolean finished;

    DirectoryRequest(ClientRequest request) {
        this.request = request;
        this.stall =
                new SendStall(request, () -> finished || !request.exchange().isWritable(), () -> request.exchange()
                        .abort());
    }

    void begin() {
        if (!request.require(Permission.LIST)) {
            return;
        }
        request.phase(this);
        new DirectoryLister(
                        request.names(), request.path(), request.account().name(), false, this::listed, this::refused)
                .ask();
    }

    private void refused(RequestFailure failure) {
        request.refuse(
                failure.reason() == RequestFailure.Reason.NOT_LISTABLE
                        ? RequestFailure.notFound() // a file has no name that ends with a slash
                        : failure);
    }

    private void listed(DirectoryLister.Listed found) {
        if (found.lacking().isPresent()) {
            request.refuse(503, found.summary());
            return;
        }
        boolean json = isJsonWanted();
        lines = json ? DirectoryJson.lines(found.entries()) : DirectoryPage.lines(request.path(), found.entries());
        ResponseHead head = new ResponseHead(
                200,
                Map.of(
                        "Content-Type",
                        json ? "application/json" : "text/html; charset=utf-8",
                        "Cache-Control",
                        "no-cache",
                        "Vary",
                        "Accept",
                        "X-Content-Type-Options",
                        "nosniff",
                        "Content-Security-Policy",
                        NO_SCRIPTS));
        if (!request.beginResponse(head, ResponseBody.UNKNOWN)) {
            return;
        }
        if (request.isHead()) {
            lines = List.<String>of().iterator();
        }
        sending = true;
        stall.begin();
        pump();
    }

    private boolean isJsonWanted() {
        String accept = request.head().header("Accept").orElse("").toLowerCase(Locale.ROOT);
        return accept.contains("application/json") && !accept.contains("text/html");
    }

    private void pump() {
        while (sending && lines.hasNext() && request.exchange().isWritable()) {
            StringBuilder piece = new StringBuilder(PIECE_LENGTH);
            while (lines.hasNext() && piece.length() < PIECE_LENGTH) {
                piece.append(lines.next()).append('\n');
            }
            request.exchange().write(ByteBuffer.wrap(piece.toString().getBytes(StandardCharsets.UTF_8)));
        }
        if (sending && !finished && !lines.hasNext()) {
            finished = true;
            stall.progressed();
            request.exchange().finish();
        }
    }

    @Override
    public void onWritable() {
        pump();
    }

    @Override
    public void onProgress() {
        stall.progressed();
    }

    @Override
    public void onSent() {
        onGone();
    }

    @Override
    public void onGone() {
        sending = false;
        stall.end();
    }
}
