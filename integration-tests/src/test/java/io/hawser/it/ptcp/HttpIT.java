package io.hawser.it.ptcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.ptcp.PTCPServerSocketFactory;
import io.hawser.ptcp.PTCPSocketFactory;
import io.hawser.ptcp.testkit.TestTimes;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import okhttp3.Call;
import okhttp3.Callback;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okhttp3.ResponseBody;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.impl.bootstrap.HttpServer;
import org.apache.hc.core5.http.impl.bootstrap.ServerBootstrap;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.apache.hc.core5.http.protocol.HttpContext;
import org.apache.hc.core5.io.CloseMode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An HTTP client and an HTTP server that each take a factory of sockets: OkHttp and Apache's HttpCore. */
class HttpIT {
    private final CountDownLatch testIsOver = new CountDownLatch(1);
    private HttpServer server;
    private OkHttpClient client;

    @BeforeEach
    void start() throws IOException {
        server = ServerBootstrap.bootstrap()
                .setServerSocketFactory(new PTCPServerSocketFactory())
                .setLocalAddress(InetAddress.getLoopbackAddress())
                .setCanonicalHostName("127.0.0.1")
                .register("/echo", HttpIT::echo)
                .register("/silence", this::silence)
                .create();
        server.start();
        client = new OkHttpClient.Builder()
                .socketFactory(new PTCPSocketFactory())
                .readTimeout(TestTimes.LIMIT)
                .build();
    }

    @AfterEach
    void stop() {
        testIsOver.countDown();
        client.dispatcher().executorService().shutdown();
        client.connectionPool().evictAll();
        server.close(CloseMode.IMMEDIATE);
    }

    private static void echo(ClassicHttpRequest request, ClassicHttpResponse response, HttpContext context)
            throws IOException {
        byte[] content = request.getEntity() == null ? new byte[0] : EntityUtils.toByteArray(request.getEntity());
        response.setEntity(new ByteArrayEntity(content, ContentType.APPLICATION_OCTET_STREAM));
    }

    private void silence(ClassicHttpRequest request, ClassicHttpResponse response, HttpContext context)
            throws IOException {
        try {
            testIsOver.await();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    private Request request(String path) {
        return new Request.Builder()
                .url("http://127.0.0.1:" + server.getLocalPort() + path)
                .build();
    }

    private Request echo(byte[] content) {
        return request("/echo").newBuilder().post(RequestBody.create(content)).build();
    }

    private static byte[] content(int length) {
        byte[] content = new byte[length];
        new Random(length).nextBytes(content);
        return content;
    }

    private static byte[] bytesOf(Response response) throws IOException {
        try (ResponseBody body = response.body()) {
            assertThat(response.code()).isEqualTo(200);
            assertThat(body).isNotNull();
            return body.bytes();
        }
    }

    @Test
    void requestsOfAllSizesShareOneConnection() throws IOException {
        for (int length : new int[] {0, 1, 1000, 100_000, 8 << 20}) {
            byte[] content = content(length);
            assertThat(bytesOf(client.newCall(echo(content)).execute())).isEqualTo(content);
        }
        assertThat(client.connectionPool().connectionCount()).isEqualTo(1);
    }

    @Test
    void manyRequestsAtOnceEachGetTheirAnswer() throws Exception {
        int count = 40;
        CountDownLatch answered = new CountDownLatch(count);
        List<Throwable> wrong = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            byte[] content = content(20_000 + i);
            client.newCall(echo(content)).enqueue(new Callback() {
                @Override
                public void onFailure(Call call, IOException e) {
                    note(e);
                }

                @Override
                public void onResponse(Call call, Response response) {
                    try {
                        assertThat(bytesOf(response)).isEqualTo(content);
                        note(null);
                    } catch (IOException | AssertionError e) {
                        note(e);
                    }
                }

                private void note(Throwable problem) {
                    synchronized (wrong) {
                        if (problem != null) {
                            wrong.add(problem);
                        }
                    }
                    answered.countDown();
                }
            });
        }
        assertThat(answered.await(TestTimes.SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(wrong).isEmpty();
    }

    @Test
    void silentServerIsATimeout() {
        OkHttpClient impatient =
                client.newBuilder().readTimeout(Duration.ofMillis(200)).build();
        assertThatThrownBy(
                        () -> impatient.newCall(request("/silence")).execute().close())
                .isInstanceOf(SocketTimeoutException.class);
    }

    @Test
    void cancelFreesACallThatWaits() throws Exception {
        Call call = client.newCall(request("/silence"));
        CountDownLatch failed = new CountDownLatch(1);
        call.enqueue(new Callback() {
            @Override
            public void onFailure(Call cancelled, IOException e) {
                failed.countDown();
            }

            @Override
            public void onResponse(Call answered, Response response) {
                response.close();
            }
        });
        while (client.connectionPool().connectionCount() == 0) {
            Thread.sleep(10); // between two looks
        }
        call.cancel();
        assertThat(failed.await(TestTimes.SECONDS, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void connectionThatTheServerClosedIsReplaced() throws IOException {
        assertThat(bytesOf(client.newCall(echo(content(10))).execute())).hasSize(10);
        int port = server.getLocalPort();
        server.close(CloseMode.IMMEDIATE);
        server = ServerBootstrap.bootstrap()
                .setServerSocketFactory(new PTCPServerSocketFactory())
                .setListenerPort(port)
                .setLocalAddress(InetAddress.getLoopbackAddress())
                .setCanonicalHostName("127.0.0.1")
                .register("/echo", HttpIT::echo)
                .create();
        server.start();
        assertThat(bytesOf(client.newCall(echo(content(11))).execute())).hasSize(11);
    }

    @Test
    void nobodyThereIsAConnectException() {
        Request request = request("/echo");
        server.close(CloseMode.IMMEDIATE);
        assertThatThrownBy(() -> client.newCall(request).execute().close()).isInstanceOf(ConnectException.class);
    }
}
