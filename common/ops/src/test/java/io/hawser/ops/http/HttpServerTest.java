package io.hawser.ops.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.ptcp.testkit.TestTimes;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpServerTest {
    private static final int PATIENCE_MILLIS = TestTimes.MILLIS;
    private static final int BIG_BYTES = 1 << 20;
    private static final int WAITING = 2;
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final Duration SHORT = Duration.ofMillis(300);
    private static final HttpLimits PATIENT = limits(LONG, LONG, LONG);
    private static final String JSON = "application/json; charset=utf-8";

    private final RequestExecutor pages = new RequestExecutor("test-pages", WAITING);
    private final RequestExecutor quick = new RequestExecutor("test-quick", 100);
    private final CountDownLatch slowMayEnd = new CountDownLatch(1);
    private final AtomicInteger slowBegun = new AtomicInteger();
    private final CountingStream stream = new CountingStream();
    private HttpServer server;

    /** Brings pieces for as long as somebody reads them. */
    private static final class CountingStream implements ResponseBody {
        private static final int PIECE_BYTES = 32 << 10;

        private volatile int pieceBytes = PIECE_BYTES;
        private final AtomicInteger pieces = new AtomicInteger();
        private final AtomicInteger closes = new AtomicInteger();
        private volatile int last = Integer.MAX_VALUE;

        @Override
        public long lengthBytes() {
            return UNKNOWN;
        }

        @Override
        public CompletionStage<Optional<ByteBuffer>> next() {
            return pieces.incrementAndGet() > last
                    ? CompletableFuture.completedFuture(Optional.empty())
                    : CompletableFuture.supplyAsync(() -> Optional.of(ByteBuffer.allocate(pieceBytes)));
        }

        @Override
        public void close() {
            closes.incrementAndGet();
        }
    }

    private final class Answers implements HttpHandler {
        @Override
        public RequestExecutor lane(Request request) {
            return request.path().equals("/quick") ? quick : pages;
        }

        @Override
        public CompletionStage<Response> answer(Request request) {
            return CompletableFuture.completedFuture(response(request));
        }

        private Response response(Request request) {
            return switch (request.path()) {
                case "/slow" -> {
                    slowBegun.incrementAndGet();
                    awaitQuietly(slowMayEnd);
                    yield Response.text(200, "slow");
                }
                case "/big" -> {
                    byte[] big = new byte[BIG_BYTES];
                    Arrays.fill(big, (byte) 'b');
                    yield Response.of(200, JSON, big);
                }
                case "/stream" -> new Response(200, java.util.Map.of("Content-Type", "text/event-stream"), stream);
                case "/broken" -> throw new IllegalStateException("a defect");
                default ->
                    Response.text(
                            200,
                            "[" + request.method() + " " + request.path() + " " + request.query() + " "
                                    + request.body().length + "]");
            };
        }
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void start(HttpLimits limits) throws IOException {
        server = HttpServer.start("test-http", new InetSocketAddress("127.0.0.1", 0), null, new Answers(), limits);
    }

    private static HttpLimits limits(Duration request, Duration idle, Duration response) {
        HttpLimits usual = HttpLimits.DEFAULT;
        return new HttpLimits(
                usual.connections(),
                usual.connectionsOfAddress(),
                usual.sizes(),
                new HttpLimits.Times(request, idle, response, usual.times().linger()));
    }

    private static HttpLimits limits(long unreadResponses) {
        HttpLimits.Sizes usual = PATIENT.sizes();
        return new HttpLimits(
                PATIENT.connections(),
                PATIENT.connectionsOfAddress(),
                new HttpLimits.Sizes(usual.line(), usual.header(), usual.body(), unreadResponses),
                PATIENT.times());
    }

    @AfterEach
    void stop() {
        slowMayEnd.countDown();
        if (server != null) {
            server.close();
        }
        pages.close();
        quick.close();
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket("127.0.0.1", server.address().getPort());
        socket.setSoTimeout(PATIENCE_MILLIS);
        return socket;
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static String rest(Socket socket) throws IOException {
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }

    private static String until(Socket socket, String end) throws IOException {
        StringBuilder text = new StringBuilder();
        while (text.indexOf(end) < 0) {
            int next = socket.getInputStream().read();
            if (next < 0) {
                throw new IOException("closed after: " + text);
            }
            text.append((char) next);
        }
        return text.toString();
    }

    /** Reads to the last chunk of a body of zeros. */
    private static long bytesOfChunks(Socket socket) throws IOException {
        byte[] buffer = new byte[1 << 16];
        long all = 0;
        String end = "";
        while (!end.endsWith("0\r\n\r\n")) {
            int read = socket.getInputStream().read(buffer);
            assertThat(read).isPositive();
            all += read;
            String more = end + new String(buffer, 0, read, StandardCharsets.ISO_8859_1);
            end = more.substring(Math.max(0, more.length() - 5));
        }
        return all;
    }

    /** What comes until the server closes. */
    private String ask(String request) throws IOException {
        try (Socket socket = connect()) {
            send(socket, request);
            return rest(socket);
        }
    }

    private static String get(String path, String... headers) {
        return "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n"
                + String.join("", Arrays.stream(headers).map(h -> h + "\r\n").toList()) + "\r\n";
    }

    @Test
    void pipelinedRequestsAreAnsweredInTheirOrder() throws Exception {
        start(PATIENT);
        try (Socket socket = connect()) {
            send(
                    socket,
                    get("/slow") + get("/quick?a=b%20c") + "POST /2 HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc"
                            + "HEAD /3 HTTP/1.1\r\n\r\n" + get("/4", "Connection: close") + get("/never"));
            await().until(() -> slowBegun.get() == 1);
            slowMayEnd.countDown();
            String all = rest(socket);
            assertThat(all.indexOf("slow")).isPositive().isLessThan(all.indexOf("[GET /quick {a=b c} 0]"));
            assertThat(all.indexOf("[GET /quick")).isLessThan(all.indexOf("[POST /2 {} 3]"));
            assertThat(all.indexOf("[POST /2")).isLessThan(all.indexOf("[GET /4 {} 0]"));
            assertThat(all).doesNotContain("[HEAD", "/never").endsWith("[GET /4 {} 0]");
            assertThat(all.split("HTTP/1.1 200 OK", -1)).hasSize(6);
        }
    }

    /** Far more than fit into one read, so that the decoder is ahead of what is answered. */
    @Test
    void thousandsOfPipelinedRequestsAreAllAnswered() throws Exception {
        start(PATIENT);
        int many = 3000;
        try (Socket socket = connect()) {
            CompletableFuture<Void> sent = CompletableFuture.runAsync(() -> {
                try {
                    send(socket, "GET /quick HTTP/1.1\r\n\r\n".repeat(many - 1) + get("/quick", "Connection: close"));
                } catch (IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
            });
            assertThat(rest(socket).split("\\[GET /quick \\{} 0]", -1)).hasSize(many + 1);
            sent.join();
        }
    }

    @Test
    void headHasTheLengthAndNoBody() throws Exception {
        start(PATIENT);
        assertThat(ask("HEAD /big HTTP/1.1\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 200 OK\r\n")
                .containsIgnoringCase("content-length: " + BIG_BYTES)
                .containsPattern("(?i)date: [A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9:]{8} GMT\r\n")
                .endsWith("\r\n\r\n");
    }

    @Test
    void http10IsClosedUnlessItAsksToBeKept() throws Exception {
        start(PATIENT);
        assertThat(ask("GET /quick HTTP/1.0\r\n\r\n"))
                .containsIgnoringCase("connection: close")
                .endsWith("[GET /quick {} 0]");
        try (Socket socket = connect()) {
            send(socket, "GET /quick HTTP/1.0\r\nConnection: keep-alive\r\n\r\n");
            assertThat(until(socket, "0]")).containsIgnoringCase("connection: keep-alive");
            send(socket, "GET /quick HTTP/1.0\r\n\r\n");
            assertThat(rest(socket)).endsWith("[GET /quick {} 0]");
        }
    }

    @Test
    void chunkedBodyOfManyTinyPiecesArrivesWhole() throws Exception {
        start(PATIENT);
        assertThat(ask("POST /x HTTP/1.1\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
                        + "1\r\na\r\n".repeat(10_000) + "0\r\n\r\n"))
                .endsWith("[POST /x {} 10000]");
    }

    @Test
    void bodyComesAfterTheWordToGoOn() throws Exception {
        start(PATIENT);
        try (Socket socket = connect()) {
            send(socket, "POST /x HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 2\r\nConnection: close\r\n\r\n");
            assertThat(until(socket, "\r\n\r\n")).startsWith("HTTP/1.1 100 ");
            send(socket, "ab");
            assertThat(rest(socket)).startsWith("HTTP/1.1 200 ").endsWith("[POST /x {} 2]");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "414, 'GET /LONG HTTP/1.1\n\n'",
        "431, 'GET / HTTP/1.1\nA: LONG\n\n'",
        "431, 'GET / HTTP/1.1\nMANY\n\n'",
        "413, 'POST / HTTP/1.1\nContent-Length: 9223372036854775807\n\nLONG'",
        "413, 'POST / HTTP/1.1\nContent-Length: 65537\nExpect: 100-continue\n\n'",
        "413, 'POST / HTTP/1.1\nTransfer-Encoding: chunked\n\n10001\nLONG'",
        "400, 'POST / HTTP/1.1\nTransfer-Encoding: chunked\n\nx\n'",
        "400, 'POST / HTTP/1.1\nContent-Length: -1\n\n'",
        "400, 'POST / HTTP/1.1\nContent-Length: 1\nContent-Length: 2\n\n'",
        "400, 'nonsense\n\n'",
        "400, 'GET http://[ HTTP/1.1\n\n'",
        "501, 'POST / HTTP/1.1\nTransfer-Encoding: gzip, chunked\n\n0\n\n'",
        "417, 'GET / HTTP/1.1\nExpect: a miracle\n\n'",
        "505, 'GET / HTTP/3.0\n\n'",
    })
    void whatIsNoRequestOrTooLongIsRefusedAndTheConnectionClosed(int status, String request) throws Exception {
        start(PATIENT);
        String real = request.replace("\n", "\r\n")
                .replace("LONG", "A".repeat(70_000))
                .replace("MANY", "A: b\r\n".repeat(10_000));
        assertThat(ask(real)).startsWith("HTTP/1.1 " + status + " ").containsIgnoringCase("connection: close");
    }

    @Test
    void halfRequestIsToldThatItsTimeIsOver() throws Exception {
        start(limits(SHORT, LONG, LONG));
        assertThat(ask("GET /quick HTTP/1.1\r\nHost: local")).startsWith("HTTP/1.1 408 ");
        assertThat(ask("POST /quick HTTP/1.1\r\nContent-Length: 5\r\n\r\nab")).startsWith("HTTP/1.1 408 ");
        assertThat(ask("")).isEmpty();
    }

    @Test
    void idleConnectionIsClosed() throws Exception {
        start(limits(LONG, SHORT, LONG));
        assertThat(ask(get("/quick"))).endsWith("[GET /quick {} 0]");
    }

    @Test
    void peerThatDoesNotReadItsAnswerIsClosed() throws Exception {
        start(limits(LONG, LONG, SHORT));
        try (Socket socket = connect()) {
            send(socket, get("/stream"));
            await().until(() -> stream.closes.get() == 1);
        }
    }

    @Test
    void peerThatHasClosedItsHalfGetsItsAnswers() throws Exception {
        start(PATIENT);
        try (Socket socket = connect()) {
            send(socket, get("/slow") + get("/quick"));
            socket.shutdownOutput();
            await().until(() -> slowBegun.get() == 1);
            slowMayEnd.countDown();
            assertThat(rest(socket)).contains("slow").endsWith("[GET /quick {} 0]");
        }
    }

    @Test
    void slowAnswersHoldUpNoOtherLaneAndAreBounded() throws Exception {
        start(PATIENT);
        List<Socket> slow = new ArrayList<>();
        try {
            for (int i = 0; i < 1 + WAITING; i++) {
                Socket socket = connect();
                slow.add(socket);
                send(socket, get("/slow", "Connection: close"));
                int expected = i;
                await().until(() -> slowBegun.get() == 1 && (expected == 0 || isBusyAfter(expected)));
            }
            assertThat(ask(get("/slow", "Connection: close")))
                    .startsWith("HTTP/1.1 503 ")
                    .containsIgnoringCase("retry-after: 1");
            assertThat(ask(get("/quick", "Connection: close"))).startsWith("HTTP/1.1 200 ");
            slowMayEnd.countDown();
            for (Socket socket : slow) {
                assertThat(rest(socket)).endsWith("slow");
            }
        } finally {
            for (Socket socket : slow) {
                socket.close();
            }
        }
    }

    /** The loop takes connections in their order: what another one is answered shows that the ones before it are queued. */
    private boolean isBusyAfter(int queued) throws IOException {
        return queued > 0 && ask(get("/quick", "Connection: close")).startsWith("HTTP/1.1 200 ");
    }

    @Test
    void bodyOfAnyLengthTakesTheMemoryOfAFewPieces() throws Exception {
        start(PATIENT);
        try (Socket socket = connect()) {
            socket.setReceiveBufferSize(64 << 10);
            send(socket, get("/stream"));
            assertThat(until(socket, "\r\n\r\n")).containsIgnoringCase("transfer-encoding: chunked");
            int before;
            do { // until it stands still, since nobody reads
                before = stream.pieces.get();
                assertThat(ask(get("/quick", "Connection: close"))).startsWith("HTTP/1.1 200 ");
            } while (stream.pieces.get() > before);
            int atStandstill = stream.pieces.get();
            assertThat((long) atStandstill * CountingStream.PIECE_BYTES).isLessThan(32L << 20);
            stream.last = atStandstill + 200;
            assertThat(bytesOfChunks(socket)).isGreaterThan((long) stream.last * CountingStream.PIECE_BYTES);
        }
        await().until(() -> stream.closes.get() == 1); // which follows the last chunk
    }

    /** While such a piece is written, the channel says that it can take no more, and then that it can. */
    @Test
    void streamOfPiecesThatTheChannelCannotTakeAtOnceIsWhole() throws Exception {
        start(PATIENT);
        stream.pieceBytes = 200 << 10;
        stream.last = 100;
        HttpResponse<byte[]> answer = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http:/" + server.address() + "/stream"))
                                .build(),
                        HttpResponse.BodyHandlers.ofByteArray());
        assertThat(answer.body()).isEqualTo(new byte[stream.last * stream.pieceBytes]);
    }

    @Test
    void streamEndsWhenItsReaderIsGone() throws Exception {
        start(PATIENT);
        try (Socket socket = connect()) {
            send(socket, get("/stream"));
            until(socket, "\r\n\r\n");
        }
        await().until(() -> stream.closes.get() == 1);
    }

    @Test
    void answersThatNobodyReadsAreBoundedTogether() throws Exception {
        start(limits(BIG_BYTES + BIG_BYTES / 2));
        try (Socket silent = connect()) {
            silent.setReceiveBufferSize(4 << 10);
            // Many answers, so that they cannot all be with the kernel; the connection has one at a time.
            send(silent, get("/big").repeat(20));
            await().until(() -> ask(get("/big", "Connection: close")).startsWith("HTTP/1.1 503 "));
            assertThat(ask(get("/quick", "Connection: close"))).startsWith("HTTP/1.1 200 ");
        }
        await().until(() -> ask(get("/big", "Connection: close")).startsWith("HTTP/1.1 200 "));
    }

    @Test
    void longTextIsCompressedForThoseWhoTakeIt() throws Exception {
        start(PATIENT);
        String answer = ask(get("/big", "Accept-Encoding: deflate, gzip;q=0.5", "Connection: close"));
        int end = answer.indexOf("\r\n\r\n");
        assertThat(answer.substring(0, end))
                .containsIgnoringCase("content-encoding: gzip")
                .containsIgnoringCase("vary: accept-encoding");
        byte[] body = answer.substring(end + 4).getBytes(StandardCharsets.ISO_8859_1);
        assertThat(body.length).isLessThan(BIG_BYTES / 100);
        assertThat(new GZIPInputStream(new ByteArrayInputStream(body)).readAllBytes())
                .hasSize(BIG_BYTES);
    }

    @ParameterizedTest
    @ValueSource(strings = {"identity", "gzip;q=0", "gzip; q=0.000", "*;q=0", "br"})
    void whoDoesNotTakeGzipGetsNone(String accepted) throws Exception {
        assertThat(Gzip.isAccepted(accepted)).isFalse();
        start(PATIENT);
        assertThat(ask(get("/big", "Accept-Encoding: " + accepted, "Connection: close")))
                .doesNotContainIgnoringCase("content-encoding")
                .containsIgnoringCase("content-length: " + BIG_BYTES);
    }

    @Test
    void defectIsAnswered() throws Exception {
        start(PATIENT);
        assertThat(ask(get("/broken") + get("/quick", "Connection: close")))
                .startsWith("HTTP/1.1 500 ")
                .endsWith("[GET /quick {} 0]");
    }

    @Test
    void closingFreesThePort() throws Exception {
        start(PATIENT);
        InetSocketAddress address = server.address();
        try (Socket socket = connect()) {
            send(socket, get("/quick"));
            until(socket, "0]");
            server.close();
            assertThat(rest(socket)).isEmpty();
        }
        server = HttpServer.start("test-http", address, null, new Answers(), PATIENT);
        assertThat(ask(get("/quick", "Connection: close"))).startsWith("HTTP/1.1 200 ");
    }
}
