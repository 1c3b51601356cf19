package io.hawser.ptcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hawser.ptcp.testkit.TestTimes;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HexFormat;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ProxyDiallerTest {
    private final EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final BlockingQueue<String> heads = new LinkedBlockingQueue<>();
    private ServerSocket proxy;

    @BeforeEach
    void listen() throws IOException {
        proxy = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
    }

    @AfterEach
    void stop() throws IOException {
        proxy.close();
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS).syncUninterruptibly();
    }

    /** Answers one connection after the other, each with the next of these. */
    private void answers(String... texts) {
        Queue<String> left = new ArrayDeque<>(List.of(texts));
        Thread thread = new Thread(() -> {
            while (!left.isEmpty()) {
                try {
                    Socket socket = proxy.accept();
                    heads.add(head(socket.getInputStream()));
                    socket.getOutputStream().write(left.remove().getBytes(StandardCharsets.ISO_8859_1));
                } catch (IOException e) {
                    return; // the test is over
                }
            }
        });
        thread.setDaemon(true);
        thread.start();
    }

    private static String head(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("no head");
            }
            head.append((char) next);
        }
        return head.toString();
    }

    private ProxyDialler dialler(String user) {
        return new ProxyDialler(
                new HttpProxy(new InetSocketAddress("127.0.0.1", proxy.getLocalPort()), user, "Circle of Life"));
    }

    private ChannelFuture dial(ProxyDialler dialler) {
        return dialler.dial(
                        group.next(),
                        InetSocketAddress.createUnresolved("broker.invalid", 7400),
                        new ChannelInboundHandlerAdapter(),
                        TestTimes.LIMIT)
                .awaitUninterruptibly();
    }

    @Test
    void theProxyIsAskedForTheNameAndLooksItUpItself() throws Exception {
        answers("HTTP/1.1 200 Connection established\r\nVia: x\r\n\r\n");
        ChannelFuture dialled = dial(dialler(null));
        assertThat(dialled.isSuccess()).isTrue();
        assertThat(dialled.channel().isActive()).isTrue();
        assertThat(heads.take())
                .startsWith("CONNECT broker.invalid:7400 HTTP/1.1\r\nHost: broker.invalid:7400\r\n")
                .doesNotContain("Authorization");
    }

    @Test
    void basicIsAnsweredOnANewConnectionAndFromThenOnUnasked() throws Exception {
        String ok = "HTTP/1.0 200 OK\r\n\r\n";
        answers("HTTP/1.1 407 Who\r\nProxy-Authenticate: Basic realm=\"x\"\r\n\r\nbody", ok, ok);
        ProxyDialler dialler = dialler("Mufasa");
        assertThat(dial(dialler).isSuccess()).isTrue();
        assertThat(heads.take()).doesNotContain("Authorization");
        assertThat(heads.take()).contains("Proxy-Authorization: Basic TXVmYXNhOkNpcmNsZSBvZiBMaWZl\r\n");
        assertThat(dial(dialler).isSuccess()).isTrue();
        assertThat(heads.take()).contains("Proxy-Authorization: Basic");
    }

    @Test
    void anAnswerThatIsThereBeforeTheDiallingThreadGoesOnEndsTheDial() {
        answers("HTTP/1.1 407 Who\r\nProxy-Authenticate: Basic realm=\"x\"\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\n");
        ChannelFuture dialled = dialler("Mufasa")
                .dial(
                        heldUpUntilAnswered(group.next()),
                        InetSocketAddress.createUnresolved("broker.invalid", 7400),
                        new ChannelInboundHandlerAdapter(),
                        TestTimes.LIMIT)
                .awaitUninterruptibly();
        assertThat(dialled.cause()).isNull();
    }

    /** Who has the first channel registered goes on only when the proxy has been asked twice. */
    @SuppressWarnings("FutureReturnValueIgnored") // it is handed on, as an Object
    private EventLoop heldUpUntilAnswered(EventLoop loop) {
        AtomicBoolean held = new AtomicBoolean();
        return with(EventLoop.class, loop, (method, result) -> {
            if (!method.equals("register") || held.getAndSet(true)) {
                return result;
            }
            return with(ChannelFuture.class, (ChannelFuture) result, (called, outcome) -> {
                if (called.equals("addListener")) {
                    await().until(() -> heads.size() == 2 || proxy.isClosed());
                }
                return called.equals("isDone") ? (Object) false : outcome;
            });
        });
    }

    /** The same, but each call's result is what that makes of the method's name and of the real result. */
    private static <T> T with(Class<T> type, T real, BiFunction<String, Object, Object> then) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> then.apply(method.getName(), method.invoke(real, arguments))));
    }

    @Test
    @SuppressWarnings("StringConcatToTextBlock") // lines of HTTP end with CR LF
    void theBestOfWhatIsOfferedIsTaken() throws Exception {
        answers(
                "HTTP/1.1 407 Who\r\nProxy-Authenticate: Basic realm=\"x\"\r\n"
                        + "Proxy-Authenticate: Digest realm=\"r\", nonce=\"n1\", algorithm=MD5, qop=\"auth\"\r\n"
                        + "Proxy-Authenticate: Digest realm=\"r\", nonce=\"n2\", algorithm=SHA-256, qop=\"auth,auth-int\", opaque=\"o\"\r\n\r\n",
                "HTTP/1.1 200 OK\r\n\r\n");
        assertThat(dial(dialler("Mufasa")).isSuccess()).isTrue();
        heads.take();
        assertThat(heads.take())
                .containsPattern("Proxy-Authorization: Digest username=\"Mufasa\", realm=\"r\", nonce=\"n2\","
                        + " uri=\"broker.invalid:7400\", response=\"[0-9a-f]{64}\", algorithm=SHA-256, opaque=\"o\","
                        + " qop=auth, nc=00000001, cnonce=\"[0-9a-f]{32}\"")
                .doesNotContain("Circle");
    }

    @Test
    void refusalsSayWhatTheProxySaid() {
        String who = "HTTP/1.1 407 Who\r\nProxy-Authenticate: Basic realm=\"x\"\r\n\r\n";
        answers(
                who,
                who,
                who,
                "HTTP/1.1 403 Filtered \u001b[2J\r\n\r\n",
                "SSH-2.0-x\r\n\r\n",
                "HTTP/1.1 200 OK\r\n" + "x: y\r\n".repeat(10_000));
        failsWith(dialler(null), "--proxy-user");
        failsWith(dialler("Mufasa"), "does not accept the name and the password");
        failsWith(dialler(null), "refused broker.invalid:7400 with 'HTTP/1.1 403 Filtered ?[2J'");
        failsWith(dialler(null), "does not speak HTTP");
        failsWith(dialler(null), "no answer to CONNECT");
    }

    private void failsWith(ProxyDialler dialler, String text) {
        ChannelFuture dialled = dial(dialler);
        assertThatThrownBy(dialled::sync).isInstanceOf(PtcpException.class).hasMessageContaining(text);
        dialled.channel().closeFuture().awaitUninterruptibly();
    }

    @Test
    void anAnswerOfEmptyLinesIsNoHttp() {
        answers("\r\n\r\n");
        failsWith(dialler(null), "does not speak HTTP");
    }

    /** A hash over other bytes than the proxy's own would never be the right one. */
    @Test
    void aRealmIsGivenBackAsItCameWhateverItsCharacterSet() throws Exception {
        answers(
                "HTTP/1.1 407 Who\r\nProxy-Authenticate: Digest realm=\"Z\u00c3\u00bcrich\", nonce=\"n\"\r\n\r\n",
                "HTTP/1.1 200 OK\r\n\r\n");
        assertThat(dial(dialler("Mufasa")).isSuccess()).isTrue();
        heads.take();
        String secret = md5("Mufasa:Z\u00fcrich:Circle of Life"); // UTF-8, as it came
        assertThat(heads.take())
                .contains("realm=\"Z\u00c3\u00bcrich\"")
                .contains("response=\"" + md5(secret + ":n:" + md5("CONNECT:broker.invalid:7400")) + "\"");
    }

    private static String md5(String text) throws Exception {
        return HexFormat.of().formatHex(MessageDigest.getInstance("MD5").digest(text.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void aChallengeAsLongAsAnAnswerMayBeIsRead() {
        String nonce = "\\n".repeat(7_000);
        answers(
                "HTTP/1.1 407 Who\r\nProxy-Authenticate: Digest realm=\"r\", nonce=\"" + nonce + "\"\r\n\r\n",
                "HTTP/1.1 200 OK\r\n\r\n");
        assertThat(dial(dialler("Mufasa")).isSuccess()).isTrue();
    }

    @Test
    void whatAProxyAsksForMustNotBecomeLinesOfTheNextRequestOrOfATerminal() {
        answers("HTTP/1.1 407 Who\r\nProxy-Authenticate: Digest realm=\"a\nX: y\u001b[2J\", nonce=\"n\"\r\n\r\n");
        failsWith(dialler("Mufasa"), "not supported: Digest realm=\"a?X: y?[2J\"");
    }

    @Test
    void aProxyWhoseNameNobodyKnowsIsSaidToBeThat() {
        ProxyDialler dialler =
                new ProxyDialler(new HttpProxy(InetSocketAddress.createUnresolved("proxy.invalid", 3128), null, ""));
        failsWith(dialler, "its name is not known here");
    }

    @Test
    void aProxyThatSaysNothingIsGivenUpInTime() {
        ChannelFuture dialled = dialler(null)
                .dial(
                        group.next(),
                        InetSocketAddress.createUnresolved("broker.invalid", 7400),
                        new ChannelInboundHandlerAdapter(),
                        Duration.ofMillis(300))
                .awaitUninterruptibly();
        assertThat(dialled.cause()).hasMessageContaining("did not answer in time");
        dialled.channel().closeFuture().awaitUninterruptibly();
    }
}
