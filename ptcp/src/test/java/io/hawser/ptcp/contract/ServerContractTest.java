package io.hawser.ptcp.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.ptcp.testkit.TestTimes;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Listening and accepting. */
class ServerContractTest extends SocketContract {
    ServerContractTest(SocketKind kind) {
        super(kind);
    }

    @Test
    void freshServerSocketHasNothing() throws IOException {
        try (ServerSocket fresh = kind.servers.createServerSocket()) {
            assertThat(fresh.isBound()).isFalse();
            assertThat(fresh.isClosed()).isFalse();
            assertThat(fresh.getLocalPort()).isEqualTo(-1);
            assertThat(fresh.getInetAddress()).isNull();
            assertThat(fresh.getLocalSocketAddress()).isNull();
            assertThat(fresh.getChannel()).isNull();
            assertThat(fresh).hasToString("ServerSocket[unbound]");
            assertThatThrownBy(fresh::accept)
                    .isInstanceOf(SocketException.class)
                    .hasMessage("Socket is not bound yet");
        }
    }

    @Test
    void boundServerSocketKnowsWhere() {
        assertThat(server.isBound()).isTrue();
        assertThat(server.getLocalPort()).isPositive();
        assertThat(server.getInetAddress()).isEqualTo(LOOPBACK);
        assertThat(server.getLocalSocketAddress()).isEqualTo(new InetSocketAddress(LOOPBACK, server.getLocalPort()));
        assertThat(server.toString()).contains("localport=" + server.getLocalPort());
    }

    @Test
    void closedServerSocketStillKnowsWhereItWas() throws IOException {
        int port = server.getLocalPort();
        server.close();
        server.close();
        assertThat(server.isClosed()).isTrue();
        assertThat(server.isBound()).isTrue();
        assertThat(server.getLocalPort()).isEqualTo(port);
        assertThatThrownBy(server::accept).isInstanceOf(SocketException.class).hasMessage("Socket is closed");
        assertThatThrownBy(() -> server.bind(null)).isInstanceOf(SocketException.class);
        assertThatThrownBy(() -> server.setSoTimeout(1)).isInstanceOf(SocketException.class);
    }

    @Test
    void serverOfAllAddressesIsReachedByOne() throws IOException {
        try (ServerSocket all = kind.servers.createServerSocket(0);
                Socket socket = kind.sockets.createSocket(LOOPBACK, all.getLocalPort());
                Socket accepted = all.accept()) {
            assertThat(all.getInetAddress().isAnyLocalAddress()).isTrue();
            assertThat(accepted.getLocalAddress()).isEqualTo(LOOPBACK);
            assertThat(accepted.getRemoteSocketAddress()).isEqualTo(socket.getLocalSocketAddress());
        }
    }

    @Test
    void takenPortCannotBeBound() {
        assertThatThrownBy(() -> kind.servers.createServerSocket(server.getLocalPort(), 1, LOOPBACK))
                .isInstanceOf(BindException.class)
                .hasMessageContaining("Address already in use");
    }

    @Test
    void foreignAddressCannotBeBound() throws IOException {
        InetAddress foreign = InetAddress.getByName("192.0.2.1");
        assertThatThrownBy(() -> kind.servers.createServerSocket(0, 1, foreign)).isInstanceOf(BindException.class);
    }

    @Test
    void wrongArgumentsOfBindAreRefused() throws IOException {
        try (ServerSocket fresh = kind.servers.createServerSocket()) {
            assertThatThrownBy(() -> fresh.bind(InetSocketAddress.createUnresolved("localhost", 0)))
                    .isInstanceOf(SocketException.class);
            assertThatThrownBy(() -> server.bind(new InetSocketAddress(LOOPBACK, 0)))
                    .isInstanceOf(SocketException.class)
                    .hasMessage("Already bound");
            fresh.bind(null);
            assertThat(fresh.getLocalPort()).isPositive();
        }
        assertThatThrownBy(() -> kind.servers.createServerSocket(-1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> kind.servers.createServerSocket(65_536)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void connectionsWaitForTheirAcceptAndComeInOrder() throws IOException {
        List<Socket> out = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Socket next = kind.sockets.createSocket(LOOPBACK, server.getLocalPort());
            next.getOutputStream().write(i);
            out.add(next);
        }
        for (int i = 0; i < 3; i++) {
            try (Socket accepted = server.accept()) {
                assertThat(accepted.getInputStream().read()).isEqualTo(i);
            }
            out.get(i).close();
        }
    }

    @Test
    void connectionThatIsClosedBeforeItsAcceptIsAcceptedAllTheSame() throws IOException {
        near.connect(server.getLocalSocketAddress());
        near.getOutputStream().write(7);
        near.close();
        far.close();
        far = server.accept();
        assertThat(far.getInputStream().read()).isEqualTo(7);
        assertThat(far.getInputStream().read()).isEqualTo(-1);
    }

    @Test
    void closeOfTheServerResetsWhoWaits() throws IOException {
        near.connect(server.getLocalSocketAddress());
        server.close();
        assertThatThrownBy(() -> near.getInputStream().read())
                .isInstanceOf(SocketException.class)
                .hasMessageStartingWith("Connection reset");
    }

    @Test
    void closeOfTheServerFreesThePortAndLeavesWhatWasAccepted() throws IOException {
        connect();
        server.close();
        far.getOutputStream().write(7);
        assertThat(near.getInputStream().read()).isEqualTo(7);
        try (ServerSocket next = kind.servers.createServerSocket(server.getLocalPort(), 5, LOOPBACK)) {
            Socket again = kind.sockets.createSocket(LOOPBACK, next.getLocalPort());
            try (Socket accepted = next.accept()) {
                accepted.getOutputStream().write(8);
                assertThat(again.getInputStream().read()).isEqualTo(8);
            }
            again.close();
        }
        near.getOutputStream().write(9);
        assertThat(far.getInputStream().read()).isEqualTo(9);
    }

    @Test
    void threadsThatAcceptGetOneConnectionEach() throws Exception {
        Background<Socket> one = supply(server::accept);
        Background<Socket> two = supply(server::accept);
        near.connect(server.getLocalSocketAddress());
        try (Socket second = kind.sockets.createSocket(LOOPBACK, server.getLocalPort())) {
            assertThat(one).succeedsWithin(TestTimes.LIMIT);
            assertThat(two).succeedsWithin(TestTimes.LIMIT);
            assertThat(List.of(one.get().getPort(), two.get().getPort()))
                    .containsExactlyInAnyOrder(near.getLocalPort(), second.getLocalPort());
        } finally {
            one.get().close();
            two.get().close();
        }
    }

    @Test
    void acceptedSocketHasNoTimeoutOfItsServers() throws IOException {
        server.setSoTimeout(20_000);
        connect();
        assertThat(far.getSoTimeout()).isZero();
        assertThat(far.getSoLinger()).isEqualTo(-1);
    }
}
