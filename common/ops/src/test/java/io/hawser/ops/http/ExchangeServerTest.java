package io.hawser.ops.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.ptcp.NettyTransports;
import io.hawser.ptcp.testkit.TestTimes;
import io.netty.buffer.ByteBuf;
import io.netty.channel.EventLoopGroup;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExchangeServerTest {
    private static final String HOST = "Host: localhost\r\n";
    private static final Duration LONG = Duration.ofMinutes(5);
    private static final int MUCH = 32 << 20;

    private final EventLoopGroup group = NettyTransports.newLoop("test-exchange");
    private final List<String> heard = new CopyOnWriteArrayList<>();
    private final AtomicLong received = new AtomicLong();
    private ExchangeServer server;

    @BeforeEach
    void start() throws IOException {
        HttpLimits limits = new HttpLimits(
                20, 20, new HttpLimits.Sizes(1000, 1000, 0, 0), new HttpLimits.Times(LONG, LONG, LONG, LONG));
        server = ExchangeServer.start(
                group.next(),
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                new ExchangeServer.Tls(null, Runnable::run),
                limits,
                this::begin);
    }

    @AfterEach
    void stop() {
        server.stop();
        server.awaitEnd(Duration.ZERO);
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }

    /** {@code /held} reads nothing of its body, {@code /refused} answers before it, and anything else says how long it was. */
    private void begin(Exchange exchange) {
        exchange.admit();
        exchange.listener(new ExchangeListener() {
            private long bytes;

            @Override
            public void onBody(ByteBuf piece) {
                bytes += piece.readableBytes();
                received.addAndGet(piece.readableBytes());
                piece.release();
                exchange.readOn();
            }

            @Override
            public void onBodyEnd() {
                respond(exchange, 200, exchange.head().target() + " " + bytes + ";");
            }

            @Override
            public void onBodyBroken(String why) {
                heard.add("broken");
                respond(exchange, 400, why);
            }

            @Override
            public void onSent() {
                heard.add("sent");
            }

            @Override
            public void onGone() {
                heard.add("gone");
            }
        });
        if (exchange.head().target().equals("/refused")) {
            respond(exchange, 409, "no");
        } else if (exchange.head().bodyBytes() == 0) {
            respond(exchange, 200, exchange.head().target() + ";");
        } else if (!exchange.head().target().equals("/held")) {
            exchange.readOn();
        }
    }

    private static void respond(Exchange exchange, int status, String text) {
        exchange.respond(ResponseHead.of(status), text.getBytes(StandardCharsets.US_ASCII));
    }

    @Test
    void pipelinedRequestsAreAnsweredInOrder() throws IOException {
        String all = ask("POST /1 HTTP/1.1\r\n" + HOST + "Content-Length: 3\r\n\r\nabcGET /2 HTTP/1.1\r\n" + HOST
                + "\r\nPOST /3 HTTP/1.1\r\n" + HOST
                + "Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n2\r\ncd\r\n0\r\n\r\n");

        assertThat(all.replaceAll("(?s)HTTP/1.1 200.*?\r\n\r\n", "")).isEqualTo("/1 3;/2;/3 4;");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "400 | Content-Length: 10",
                "400 | Transfer-Encoding: chunked",
                "400 | Transfer-Encoding: gzip",
                "501 | Transfer-Encoding: gzip, chunked",
                "417 | Expect: wonders",
                "400 | Content-Length: -1",
                "400 | Host: another"
            })
    void bodyWithoutAnEndIsRefused(int status, String header) throws IOException {
        assertThat(ask("POST / HTTP/1.1\r\n" + HOST + header + "\r\n\r\n5\r\nab"))
                .startsWith("HTTP/1.1 " + status);
    }

    /** Another server in front may believe the other length, and take a part of this body for a request. */
    @Test
    void twoLengthsAreRefused() throws IOException {
        String both = ask("POST /1 HTTP/1.1\r\n" + HOST
                + "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /2 HTTP/1.1\r\n" + HOST
                + "\r\n");

        assertThat(both).startsWith("HTTP/1.1 400").doesNotContain("/2;");
    }

    /** What a client sends before it is wanted stays in the sockets, not here. */
    @Test
    void bodyIsReadOnlyWhenItIsWanted() throws IOException {
        try (Socket socket = connect()) {
            write(socket, "POST /held HTTP/1.1\r\n" + HOST + "Content-Length: " + MUCH + "\r\n\r\n");
            Thread writer = new Thread(() -> writeUntilClosed(socket));
            writer.start();
            socket.setSoTimeout(500);

            assertThat(socketSays(socket)).isEqualTo("nothing");
            assertThat(received).hasValue(0);
            assertThat(writer.isAlive()).as("it waits").isTrue();
            socket.setSoLinger(true, 0); // a reset, which is seen without reading
        }
        await().atMost(TestTimes.LIMIT).until(() -> heard.contains("gone"));
    }

    @Test
    void clientHearsARefusalWhileItSends() throws IOException {
        try (Socket socket = connect()) {
            write(socket, "POST /refused HTTP/1.1\r\n" + HOST + "Content-Length: " + MUCH + "\r\n\r\n");
            Thread writer = new Thread(() -> writeUntilClosed(socket));
            writer.start();

            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                    .startsWith("HTTP/1.1 409 ")
                    .contains("connection: close")
                    .endsWith("no");
        }
        assertThat(heard).containsExactly("sent");
    }

    @Test
    void largeBodyComesWhole() throws IOException {
        try (Socket socket = connect()) {
            write(
                    socket,
                    "POST /much HTTP/1.1\r\n" + HOST + "Connection: close\r\nContent-Length: " + MUCH + "\r\n\r\n");
            socket.getOutputStream().write(new byte[MUCH]);

            assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                    .endsWith("/much " + MUCH + ";");
        }
    }

    private static String socketSays(Socket socket) throws IOException {
        try {
            return socket.getInputStream().read() < 0 ? "end" : "something";
        } catch (SocketTimeoutException e) {
            return "nothing";
        }
    }

    private static void writeUntilClosed(Socket socket) {
        try {
            socket.getOutputStream().write(new byte[MUCH]);
        } catch (IOException e) {
            return; // the test has ended
        }
    }

    private Socket connect() throws IOException {
        Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), server.address().getPort());
        socket.setSoTimeout(TestTimes.MILLIS);
        return socket;
    }

    private String ask(String request) throws IOException {
        try (Socket socket = connect()) {
            write(socket, request);
            socket.shutdownOutput();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        }
    }

    private static void write(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
    }
}
