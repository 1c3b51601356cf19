package io.hawser.ptcp.contract;

import io.hawser.ptcp.testkit.Leaks;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A listening socket on loopback, and two ends that may be connected; of one kind. */
@ParameterizedClass(name = "{0}")
@EnumSource(SocketKind.class)
abstract class SocketContract {
    private static final int NARROW_BYTES = 64 << 10;

    static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

    final SocketKind kind;
    ServerSocket server;
    Socket near;
    Socket far;

    SocketContract(SocketKind kind) {
        this.kind = kind;
    }

    @BeforeAll
    static void watchLeaks() {
        Leaks.watch();
    }

    @AfterAll
    static void assertNoLeaks() {
        Leaks.assertNone();
    }

    @BeforeEach
    void open() throws IOException {
        server = kind.servers.createServerSocket(0, 5, LOOPBACK);
        near = kind.sockets.createSocket();
        far = kind.sockets.createSocket();
    }

    /** Joins the two ends with buffers that some megabytes fill. */
    void connectNarrowly() throws IOException {
        near.setSendBufferSize(NARROW_BYTES);
        server.setReceiveBufferSize(NARROW_BYTES);
        connect();
    }

    /** Joins the two ends. */
    void connect() throws IOException {
        near.connect(server.getLocalSocketAddress());
        far.close();
        far = server.accept();
    }

    @AfterEach
    void close() throws IOException {
        near.close();
        far.close();
        server.close();
    }

    interface IoSupplier<T> {
        T get() throws Exception;
    }

    /** Work on a thread of its own, which a test may interrupt. */
    static final class Background<T> extends CompletableFuture<T> {
        final Thread thread;

        private Background(IoSupplier<T> work) {
            thread = new Thread(
                    () -> {
                        try {
                            complete(work.get());
                        } catch (Throwable e) {
                            completeExceptionally(e);
                        }
                    },
                    "test-socket-user");
            thread.setDaemon(true);
        }

        /** Whether the thread waits for something, or has an end. */
        boolean isWaiting() {
            StackTraceElement[] trace = thread.getStackTrace();
            return trace.length == 0 || thread.getState() != Thread.State.RUNNABLE || trace[0].isNativeMethod();
        }
    }

    static <T> Background<T> supply(IoSupplier<T> work) {
        Background<T> background = new Background<>(work);
        background.thread.start();
        return background;
    }

    /** An address of loopback where nobody listens. */
    static InetSocketAddress nobody() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, LOOPBACK)) {
            return (InetSocketAddress) socket.getLocalSocketAddress();
        }
    }
}
