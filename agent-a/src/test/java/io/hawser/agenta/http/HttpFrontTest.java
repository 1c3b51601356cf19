package io.hawser.agenta.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.agenta.account.Account;
import io.hawser.agenta.account.Accounts;
import io.hawser.agenta.account.LoginCounts;
import io.hawser.agenta.account.Permission;
import io.hawser.agenta.custody.CustodyLevel;
import io.hawser.agenta.custody.CustodyRules;
import io.hawser.agenta.testkit.FtpFixture;
import io.hawser.agenta.testkit.RandomBytes;
import io.hawser.core.ftp.FtpPath;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.Topic;
import io.hawser.ptcp.testkit.TestTimes;
import io.hawser.store.spool.SpoolPhase;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The HTTP front over a spool in memory. */
class HttpFrontTest {
    private static final Accounts ANONYMOUS = Accounts.anonymous();
    private static final Accounts ANNA = Accounts.of("anna", "secret");
    private static final byte[] CONTENT = RandomBytes.of(200_000);

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final List<String> notes = new CopyOnWriteArrayList<>();
    private FtpFixture fixture;
    private HttpFront front;

    private void start(Accounts accounts, CustodyRules custody, Duration custodyTime) throws IOException {
        fixture = FtpFixture.start(config -> config.withRoot(new Topic("t")).withAccounts(accounts));
        fixture.remote.connect().directory("");
        fixture.audit((who, what, object, from, result) -> notes.add(who + " " + what + " " + object + " " + result));
        HttpFrontConfig.Limits limits = new HttpFrontConfig.Limits(
                100, 50, 50, TestTimes.LIMIT, Duration.ofMillis(1), TestTimes.LIMIT, custodyTime);
        front = new HttpFront(
                new HttpFrontConfig(
                        Optional.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)),
                        Optional.empty(),
                        null,
                        accounts,
                        custody,
                        limits),
                fixture.loop(),
                fixture.files,
                fixture.clients());
        front.start();
    }

    private void start(Accounts accounts) throws IOException {
        start(accounts, CustodyRules.SPOOLED, TestTimes.LIMIT);
    }

    @AfterEach
    void stop() {
        front.close();
        fixture.close(); // every buffer is back
    }

    @Test
    void uploadIsDurableWithItsStatus() throws Exception {
        start(ANONYMOUS);

        HttpResponse<String> put = send("PUT", "/a/b", BodyPublishers.ofByteArray(CONTENT));

        assertThat(put.statusCode()).isEqualTo(201);
        assertThat(put.headers().firstValue("Hawser-Transfer"))
                .hasValue(fixture.spool.newest().key().toString());
        assertThat(fixture.spool.content("t", "a/b")).isEqualTo(CONTENT);
        assertThat(notes).containsExactly("anonymous PUT /a/b ok");
    }

    @Test
    void uploadInChunksIsWhole() throws Exception {
        start(ANONYMOUS);

        int status = send("PUT", "/x", BodyPublishers.fromPublisher(BodyPublishers.ofByteArray(CONTENT)))
                .statusCode();

        assertThat(status).isEqualTo(201);
        assertThat(fixture.spool.content("t", "x")).isEqualTo(CONTENT);
    }

    @Test
    void secondUploadReplacesTheFirst() throws Exception {
        start(ANONYMOUS);
        send("PUT", "/x", BodyPublishers.ofByteArray(CONTENT));

        assertThat(send("PUT", "/x", BodyPublishers.ofString("new")).statusCode())
                .isEqualTo(204);
    }

    @Test
    void bodyThatBreaksOffIsNeverCommitted() throws Exception {
        start(ANONYMOUS);
        try (Socket socket = connect()) {
            write(socket, "PUT /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\nsome");
            await().atMost(TestTimes.LIMIT).until(() -> !fixture.spool.all().isEmpty());
        }

        await().atMost(TestTimes.LIMIT)
                .untilAsserted(() -> assertThat(fixture.spool.newest().phase()).isEqualTo(SpoolPhase.INCOMPLETE));
        assertThat(fixture.spool.newest().commit()).isNull();
        assertThat(notes).hasSize(1).first().asString().startsWith("anonymous PUT /x 400 ");
    }

    @Test
    void missingLastChunkIsNoEnd() throws Exception {
        start(ANONYMOUS);
        try (Socket socket = connect()) {
            write(socket, "PUT /x HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nsome\r\n");
            socket.shutdownOutput();

            assertThat(readAll(socket)).startsWith("HTTP/1.1 400 ");
        }
        assertThat(fixture.spool.newest().commit()).isNull();
    }

    @Test
    void clientIsToldToContinueOnlyIfNothingRefusesTheUpload() throws Exception {
        start(ANONYMOUS);
        String expecting = " HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n";
        try (Socket refused = connect();
                Socket accepted = connect()) {
            write(refused, "PUT /" + expecting);
            write(accepted, "PUT /x" + expecting);
            assertThat(readLine(accepted)).isEqualTo("HTTP/1.1 100 Continue");
            write(accepted, "abc");

            assertThat(readAll(refused)).startsWith("HTTP/1.1 409 ");
            accepted.shutdownOutput();
            assertThat(readAll(accepted)).contains("HTTP/1.1 201 ");
        }
        assertThat(fixture.spool.content("t", "x")).isEqualTo("abc".getBytes(StandardCharsets.US_ASCII));
    }

    @Test
    void fileOnItsWayIsServedWithRanges() throws Exception {
        start(ANONYMOUS);
        send("PUT", "/x", BodyPublishers.ofByteArray(CONTENT));

        HttpResponse<byte[]> whole = client.send(request("GET", "/x").build(), BodyHandlers.ofByteArray());
        HttpResponse<byte[]> part = client.send(
                request("GET", "/x").header("Range", "bytes=65530-65545").build(), BodyHandlers.ofByteArray());

        assertThat(whole.body()).isEqualTo(CONTENT);
        assertThat(part.statusCode()).isEqualTo(206);
        assertThat(part.headers().firstValue("Content-Range")).hasValue("bytes 65530-65545/200000");
        assertThat(part.body()).isEqualTo(Arrays.copyOfRange(CONTENT, 65530, 65546));
        assertThat(whole.headers().firstValue("ETag"))
                .isEqualTo(part.headers().firstValue("ETag"))
                .isPresent();
    }

    @Test
    void severalRangesAreParts() throws Exception {
        start(ANONYMOUS);
        send("PUT", "/x", BodyPublishers.ofString("0123456789"));

        HttpResponse<String> parts =
                client.send(request("GET", "/x").header("Range", "bytes=0-1,8-").build(), BodyHandlers.ofString());

        String boundary =
                parts.headers().firstValue("Content-Type").orElseThrow().replaceFirst(".*boundary=", "");
        String type = "\r\nContent-Type: application/octet-stream\r\nContent-Range: bytes ";
        assertThat(parts.body())
                .isEqualTo("--" + boundary + type + "0-1/10\r\n\r\n01\r\n--" + boundary + type
                        + "8-9/10\r\n\r\n89\r\n--" + boundary + "--\r\n");
    }

    /** Half a listing would make a mirror delete files. */
    @Test
    void listingWithoutTheFarEndIsAnError() throws Exception {
        start(ANONYMOUS);
        fixture.remote.file("old", CONTENT);
        assertThat(send("GET", "/").body()).contains("href=\"old\"");
        fixture.remote.disconnect();
        send("PUT", "/x", BodyPublishers.ofString("new"));

        assertThat(send("GET", "/").statusCode()).isEqualTo(503);
    }

    @Test
    void loginIsNeededAndChecked() throws Exception {
        start(ANNA);

        HttpResponse<String> without = send("GET", "/");
        assertThat(without.statusCode()).isEqualTo(401);
        assertThat(without.headers().firstValue("WWW-Authenticate").orElseThrow())
                .startsWith("Basic ");
        assertThat(as("anna", "wrong").statusCode()).isEqualTo(401);
        assertThat(as("anna", "secret").statusCode()).isEqualTo(200);
        assertThat(as("anna", "secret").statusCode()).isEqualTo(200);
        assertThat(fixture.logins())
                .containsEntry(new LoginCounts.Row("http", "refused"), 1L)
                .containsEntry(new LoginCounts.Row("http", "ok"), 1L); // the second was checked a moment ago
        assertThat(notes).contains("anna login - ok").noneMatch(note -> note.contains("secret"));
    }

    @Test
    void addressWithManyWrongPasswordsIsBarred() throws Exception {
        start(ANNA);
        int most = fixture.config.limits().login().maxFailuresOfAddress();
        for (int i = 0; i < most; i++) {
            assertThat(as("anna", "wrong" + i).statusCode()).isEqualTo(401);
        }

        assertThat(as("anna", "secret").statusCode()).isEqualTo(429);
    }

    @Test
    void accountMayOnlyWhatItMay() throws Exception {
        Account reader = new Account("r", FtpPath.ROOT, Set.of(Permission.READ, Permission.LIST), null);
        start(Accounts.of((name, password) -> name.equals("r") ? Optional.of(reader) : Optional.empty()));

        assertThat(as("r", "x").statusCode()).isEqualTo(200);
        for (String method : List.of("PUT", "DELETE", "MKCOL")) {
            HttpRequest.Builder change = request(method, "/x").header("Authorization", basic("r", "x"));
            assertThat(client.send(change.build(), BodyHandlers.ofString()).statusCode())
                    .as(method)
                    .isEqualTo(403);
        }
        assertThat(fixture.spool.all()).isEmpty();
    }

    /** A browser, or curl --anyauth, can then log in. */
    @Test
    void readerWithoutLoginIsAskedForOneWhenItWrites() throws Exception {
        start(Accounts.anonymousAnywhere(Set.of(Permission.READ, Permission.LIST))
                .and(ANNA));

        assertThat(send("GET", "/").statusCode()).isEqualTo(200);
        assertThat(send("PUT", "/x", BodyPublishers.ofString("x")).statusCode()).isEqualTo(401);
    }

    @Test
    void noPathLeavesTheRootOfTheAccount() throws Exception {
        Account bound = new Account("b", new FtpPath(List.of("home")).asRoot(), Permission.all(), null);
        start(Accounts.of((name, password) -> Optional.of(bound)));
        fixture.remote.file("secret", CONTENT);

        for (String target : List.of("/../secret", "/%2e%2e/secret", "/a/../../secret", "/./..//secret")) {
            assertThat(raw("GET " + target + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: "
                            + basic("b", "x") + "\r\n\r\n"))
                    .startsWith("HTTP/1.1 404 ");
        }
    }

    @Test
    void levelThatIsNotReachedInTimeIsAccepted() throws Exception {
        start(ANONYMOUS, CustodyRules.parse("brokered"), Duration.ofMillis(50));

        HttpResponse<String> put = send("PUT", "/x", BodyPublishers.ofString("x"));

        assertThat(put.statusCode()).isEqualTo(202);
        assertThat(put.body()).contains("spooled, not yet " + CustodyLevel.BROKERED);
    }

    @Test
    void statusComesWhenTheLevelIsReached() throws Exception {
        start(ANONYMOUS, CustodyRules.parse("delivered"), TestTimes.LIMIT);

        CompletableFuture<HttpResponse<String>> put = client.sendAsync(
                request("PUT", "/x").PUT(BodyPublishers.ofString("x")).build(), BodyHandlers.ofString());
        await().atMost(TestTimes.LIMIT)
                .until(() ->
                        !fixture.spool.all().isEmpty() && fixture.spool.newest().phase() == SpoolPhase.SPOOLED);
        assertThat(put).isNotDone();
        fixture.spool.brokered(fixture.spool.newest().key(), "b");
        assertThat(put).isNotDone();
        fixture.spool.receipt(fixture.spool.newest().key(), "b", ReceiptStatus.DELIVERED, "");

        assertThat(put.get().statusCode()).isEqualTo(201);
    }

    @Test
    void failureAtTheFarEndIsNoSuccess() throws Exception {
        start(ANONYMOUS, CustodyRules.parse("delivered"), TestTimes.LIMIT);

        CompletableFuture<HttpResponse<String>> put = client.sendAsync(
                request("PUT", "/x").PUT(BodyPublishers.ofString("x")).build(), BodyHandlers.ofString());
        await().atMost(TestTimes.LIMIT)
                .until(() ->
                        !fixture.spool.all().isEmpty() && fixture.spool.newest().phase() == SpoolPhase.SPOOLED);
        fixture.spool.brokered(fixture.spool.newest().key(), "b");
        fixture.spool.receipt(fixture.spool.newest().key(), "b", ReceiptStatus.FAILED, "no room there");

        assertThat(put.get().statusCode()).isEqualTo(502);
        assertThat(put.get().body()).contains("no room there");
    }

    @Test
    void ofTwoUploadsThatMustBeNewOneIsRefused() throws Exception {
        start(ANONYMOUS);
        try (Socket first = connect()) {
            write(
                    first,
                    "PUT /x HTTP/1.1\r\nHost: localhost\r\nIf-None-Match: *\r\nContent-Length: 4\r\nConnection: close\r\n\r\nab");
            await().atMost(TestTimes.LIMIT).until(() -> !fixture.spool.all().isEmpty());

            HttpRequest second = request("PUT", "/x")
                    .header("If-None-Match", "*")
                    .PUT(BodyPublishers.ofString("second"))
                    .build();
            assertThat(client.send(second, BodyHandlers.ofString()).statusCode())
                    .isEqualTo(412);

            write(first, "cd");
            assertThat(readAll(first)).startsWith("HTTP/1.1 201 ");
            assertThat(client.send(second, BodyHandlers.ofString()).statusCode())
                    .isEqualTo(412);
        }
        assertThat(fixture.spool.content("t", "x")).isEqualTo("abcd".getBytes(StandardCharsets.US_ASCII));
    }

    @Test
    void uploadOverAChangeMadeMeanwhileIsRefused() throws Exception {
        start(ANONYMOUS);
        try (Socket conditional = connect()) {
            write(
                    conditional,
                    "PUT /x HTTP/1.1\r\nHost: localhost\r\nIf-None-Match: *\r\nContent-Length: 4\r\nConnection: close\r\n\r\nab");
            await().atMost(TestTimes.LIMIT).until(() -> !fixture.spool.all().isEmpty());
            assertThat(send("PUT", "/x", BodyPublishers.ofString("other")).statusCode())
                    .isEqualTo(201);

            write(conditional, "cd");

            assertThat(readAll(conditional)).startsWith("HTTP/1.1 412 ");
        }
        assertThat(fixture.spool.content("t", "x")).isEqualTo("other".getBytes(StandardCharsets.US_ASCII));
    }

    @Test
    void stoppingServerBreaksOffWhatIsNotWhole() throws Exception {
        start(ANONYMOUS);
        try (Socket socket = connect()) {
            write(socket, "PUT /x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\nsome");
            await().atMost(TestTimes.LIMIT).until(() -> !fixture.spool.all().isEmpty());

            front.close();

            assertThat(readAll(socket)).startsWith("HTTP/1.1 503 ");
        }
        assertThat(fixture.spool.newest().commit()).isNull();
    }

    @Test
    void directoriesAreMadeAndFilesDeleted() throws Exception {
        start(ANONYMOUS);

        assertThat(send("MKCOL", "/d").statusCode()).isEqualTo(201);
        assertThat(send("MKCOL", "/d/").statusCode()).isEqualTo(405);
        assertThat(send("PUT", "/d/x", BodyPublishers.ofString("x")).statusCode())
                .isEqualTo(201);
        assertThat(send("DELETE", "/d").statusCode()).isEqualTo(409);
        assertThat(send("DELETE", "/d/x").statusCode()).isEqualTo(204);
        assertThat(send("DELETE", "/d/x").statusCode()).isEqualTo(404);
        assertThat(send("DELETE", "/d").statusCode()).isEqualTo(204);
    }

    private HttpRequest.Builder request(String method, String path) {
        return HttpRequest.newBuilder(URI.create(
                        "http://127.0.0.1:" + front.address().orElseThrow().getPort() + path))
                .timeout(TestTimes.LIMIT)
                .method(method, method.equals("PUT") ? BodyPublishers.ofString("x") : BodyPublishers.noBody());
    }

    private HttpResponse<String> send(String method, String path) throws Exception {
        return client.send(request(method, path).build(), BodyHandlers.ofString());
    }

    private HttpResponse<String> send(String method, String path, BodyPublisher body) throws Exception {
        return client.send(request(method, path).method(method, body).build(), BodyHandlers.ofString());
    }

    private HttpResponse<String> as(String name, String password) throws Exception {
        return client.send(
                request("GET", "/")
                        .header("Authorization", basic(name, password))
                        .build(),
                BodyHandlers.ofString());
    }

    private static String basic(String name, String password) {
        return "Basic " + Base64.getEncoder().encodeToString((name + ":" + password).getBytes(StandardCharsets.UTF_8));
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket(
                InetAddress.getLoopbackAddress(), front.address().orElseThrow().getPort());
        socket.setSoTimeout(TestTimes.MILLIS);
        return socket;
    }

    private String raw(String request) throws IOException {
        try (Socket socket = connect()) {
            write(socket, request);
            return readAll(socket);
        }
    }

    private static void write(Socket socket, String text) throws IOException {
        OutputStream out = socket.getOutputStream();
        out.write(text.getBytes(StandardCharsets.ISO_8859_1));
        out.flush();
    }

    private static String readLine(Socket socket) throws IOException {
        StringBuilder line = new StringBuilder();
        InputStream in = socket.getInputStream();
        for (int b = in.read(); b >= 0 && b != '\n'; b = in.read()) {
            line.append((char) b);
        }
        return line.toString().strip();
    }

    private static String readAll(Socket socket) throws IOException {
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }
}
