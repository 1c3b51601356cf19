package io.hawser.ptcp.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;

/** Binding and connecting, and what a socket says of itself meanwhile. */
class ConnectContractTest extends SocketContract {
    /** Of a network for documentation (RFC 5737), which no machine has. */
    private static final String FOREIGN = "192.0.2.1";

    ConnectContractTest(SocketKind kind) {
        super(kind);
    }

    @Test
    void freshSocketHasNothing() throws IOException {
        assertThat(near.isBound()).isFalse();
        assertThat(near.isConnected()).isFalse();
        assertThat(near.isClosed()).isFalse();
        assertThat(near.getPort()).isZero();
        assertThat(near.getLocalPort()).isEqualTo(-1);
        assertThat(near.getInetAddress()).isNull();
        assertThat(near.getRemoteSocketAddress()).isNull();
        assertThat(near.getLocalSocketAddress()).isNull();
        assertThat(near.getLocalAddress().isAnyLocalAddress()).isTrue();
        assertThat(near.getChannel()).isNull();
        assertThat(near).hasToString("Socket[unconnected]");
        assertThatThrownBy(() -> near.getInputStream()).isInstanceOf(SocketException.class);
        assertThatThrownBy(() -> near.getOutputStream()).isInstanceOf(SocketException.class);
        assertThatThrownBy(() -> near.shutdownInput()).isInstanceOf(SocketException.class);
        assertThatThrownBy(() -> near.shutdownOutput()).isInstanceOf(SocketException.class);
    }

    @Test
    void bothEndsKnowBothAddresses() throws IOException {
        connect();
        for (Socket end : new Socket[] {near, far}) {
            assertThat(end.isBound()).isTrue();
            assertThat(end.isConnected()).isTrue();
            assertThat(end.isClosed()).isFalse();
            assertThat(end.getInetAddress()).isEqualTo(LOOPBACK);
            assertThat(end.getLocalAddress()).isEqualTo(LOOPBACK);
        }
        assertThat(near.getRemoteSocketAddress()).isEqualTo(server.getLocalSocketAddress());
        assertThat(near.getPort()).isEqualTo(server.getLocalPort());
        assertThat(far.getLocalSocketAddress()).isEqualTo(server.getLocalSocketAddress());
        assertThat(far.getRemoteSocketAddress()).isEqualTo(near.getLocalSocketAddress());
        assertThat(far.getPort()).isEqualTo(near.getLocalPort());
        assertThat(near.toString()).contains("port=" + near.getPort(), "localport=" + near.getLocalPort());
    }

    @Test
    void closedSocketStillKnowsWhereItWasConnected() throws IOException {
        connect();
        int localPort = near.getLocalPort();
        near.close();
        assertThat(near.isBound()).isTrue();
        assertThat(near.isConnected()).isTrue();
        assertThat(near.getRemoteSocketAddress()).isEqualTo(server.getLocalSocketAddress());
        assertThat(near.getLocalPort()).isEqualTo(localPort);
        assertThat(near.getLocalAddress().isAnyLocalAddress()).isTrue();
    }

    @Test
    void nameOfTheHostIsKept() throws IOException {
        near.connect(new InetSocketAddress(
                InetAddress.getByAddress("my-name", LOOPBACK.getAddress()), server.getLocalPort()));
        assertThat(near.getInetAddress().getHostName()).isEqualTo("my-name");
    }

    @Test
    void connectionIsRefusedWhereNobodyListens() throws IOException {
        InetSocketAddress nobody = nobody();
        assertThatThrownBy(() -> near.connect(nobody))
                .isInstanceOf(ConnectException.class)
                .hasMessageStartingWith("Connection refused");
        assertThat(near.isConnected()).isFalse();
        // The socket is of no use any more.
        assertThatThrownBy(() -> near.connect(server.getLocalSocketAddress())).isInstanceOf(SocketException.class);
        assertThatThrownBy(() -> kind.sockets.createSocket(LOOPBACK, nobody.getPort()))
                .isInstanceOf(ConnectException.class);
    }

    @Test
    void unresolvedAddressIsAnUnknownHost() {
        InetSocketAddress unresolved = InetSocketAddress.createUnresolved("no-such-host.invalid", 80);
        assertThatThrownBy(() -> near.connect(unresolved))
                .isInstanceOf(UnknownHostException.class)
                .hasMessageContaining("no-such-host.invalid");
        assertThat(near.isConnected()).isFalse();
    }

    @Test
    void wrongArgumentsOfConnectAreRefused() {
        assertThatThrownBy(() -> near.connect(null)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> near.connect(server.getLocalSocketAddress(), -1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> near.connect(new SocketAddress() {})).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void connectedSocketIsNotConnectedAgain() throws IOException {
        connect();
        assertThatThrownBy(() -> near.connect(server.getLocalSocketAddress()))
                .isInstanceOf(SocketException.class)
                .hasMessageContaining("lready connected");
        far.getOutputStream().write(7);
        assertThat(near.getInputStream().read()).isEqualTo(7);
    }

    @Test
    void boundSocketConnectsFromThere() throws IOException {
        near.bind(new InetSocketAddress(LOOPBACK, 0));
        int port = near.getLocalPort();
        assertThat(port).isPositive();
        assertThat(near.isBound()).isTrue();
        assertThat(near.getLocalAddress()).isEqualTo(LOOPBACK);
        connect();
        assertThat(near.getLocalPort()).isEqualTo(port);
        assertThat(far.getPort()).isEqualTo(port);
    }

    @Test
    void bindWithoutAnAddressTakesAny() throws IOException {
        near.bind(null);
        assertThat(near.getLocalPort()).isPositive();
        connect();
        assertThat(near.getLocalAddress()).isEqualTo(LOOPBACK);
    }

    @Test
    void bindFailsForAReason() throws IOException {
        assertThatThrownBy(() -> near.bind(new InetSocketAddress(FOREIGN, 0))).isInstanceOf(BindException.class);
        assertThatThrownBy(() -> near.bind(InetSocketAddress.createUnresolved("localhost", 0)))
                .isInstanceOf(SocketException.class);
        assertThatThrownBy(() -> near.bind(new SocketAddress() {})).isInstanceOf(IllegalArgumentException.class);
        try (ServerSocket taken = new ServerSocket(0, 1, LOOPBACK);
                Socket other = kind.sockets.createSocket()) {
            assertThatThrownBy(() -> other.bind(taken.getLocalSocketAddress()))
                    .isInstanceOf(BindException.class)
                    .hasMessageStartingWith("Address already in use");
        }
    }

    @Test
    void socketIsBoundOnce() throws IOException {
        near.bind(new InetSocketAddress(LOOPBACK, 0));
        assertThatThrownBy(() -> near.bind(new InetSocketAddress(LOOPBACK, 0)))
                .isInstanceOf(SocketException.class)
                .hasMessage("Already bound");
    }

    @Test
    void portOfABoundSocketIsFreeWhenItIsClosed() throws IOException {
        near.bind(new InetSocketAddress(LOOPBACK, 0));
        InetSocketAddress local = (InetSocketAddress) near.getLocalSocketAddress();
        near.close();
        try (ServerSocket next = new ServerSocket(local.getPort(), 1, LOOPBACK)) {
            assertThat(next.isBound()).isTrue();
        }
    }

    @Test
    void factoryConnectsInAllItsWays() throws IOException {
        int port = server.getLocalPort();
        String host = LOOPBACK.getHostAddress();
        try (Socket one = kind.sockets.createSocket(host, port);
                Socket two = kind.sockets.createSocket(LOOPBACK, port);
                Socket three = kind.sockets.createSocket(host, port, LOOPBACK, 0);
                Socket four = kind.sockets.createSocket(LOOPBACK, port, LOOPBACK, 0)) {
            for (Socket socket : new Socket[] {one, two, three, four}) {
                assertThat(socket.isConnected()).isTrue();
                try (Socket accepted = server.accept()) {
                    assertThat(accepted.getPort()).isEqualTo(socket.getLocalPort());
                }
            }
        }
        assertThatThrownBy(() -> kind.sockets.createSocket("no-such-host.invalid", port))
                .isInstanceOf(UnknownHostException.class);
        assertThatThrownBy(() -> kind.sockets.createSocket(host, -1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> kind.sockets.createSocket(host, 65_536)).isInstanceOf(IllegalArgumentException.class);
    }
}
