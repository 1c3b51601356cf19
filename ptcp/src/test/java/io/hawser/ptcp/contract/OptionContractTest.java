package io.hawser.ptcp.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.SocketException;
import java.net.SocketOption;
import java.net.StandardSocketOptions;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What can be set. */
class OptionContractTest extends SocketContract {
    private static final int BUFFER_BYTES = 64 << 10;

    OptionContractTest(SocketKind kind) {
        super(kind);
    }

    @Test
    void timeout() throws IOException {
        assertThat(near.getSoTimeout()).isZero();
        near.setSoTimeout(1234);
        assertThat(near.getSoTimeout()).isEqualTo(1234);
        assertThatThrownBy(() -> near.setSoTimeout(-1)).isInstanceOf(IllegalArgumentException.class);
        server.setSoTimeout(99);
        assertThat(server.getSoTimeout()).isEqualTo(99);
        assertThatThrownBy(() -> server.setSoTimeout(-1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void linger() throws IOException {
        assertThat(near.getSoLinger()).isEqualTo(-1);
        near.setSoLinger(true, 5);
        assertThat(near.getSoLinger()).isEqualTo(5);
        near.setSoLinger(false, 5);
        assertThat(near.getSoLinger()).isEqualTo(-1);
        assertThatThrownBy(() -> near.setSoLinger(true, -1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void switches() throws IOException {
        for (boolean on : new boolean[] {true, false}) {
            near.setTcpNoDelay(on);
            assertThat(near.getTcpNoDelay()).isEqualTo(on);
            near.setKeepAlive(on);
            assertThat(near.getKeepAlive()).isEqualTo(on);
            near.setOOBInline(on);
            assertThat(near.getOOBInline()).isEqualTo(on);
            near.setReuseAddress(on);
            assertThat(near.getReuseAddress()).isEqualTo(on);
        }
        assertThat(server.getReuseAddress()).isTrue();
    }

    @Test
    void buffers() throws IOException {
        near.setReceiveBufferSize(BUFFER_BYTES);
        near.setSendBufferSize(BUFFER_BYTES);
        assertThat(near.getReceiveBufferSize()).isGreaterThanOrEqualTo(BUFFER_BYTES);
        assertThat(near.getSendBufferSize()).isGreaterThanOrEqualTo(BUFFER_BYTES);
        assertThatThrownBy(() -> near.setReceiveBufferSize(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> near.setSendBufferSize(-1)).isInstanceOf(IllegalArgumentException.class);
        server.setReceiveBufferSize(BUFFER_BYTES);
        assertThat(server.getReceiveBufferSize()).isGreaterThanOrEqualTo(BUFFER_BYTES);
        assertThatThrownBy(() -> server.setReceiveBufferSize(0)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void trafficClassAndPreferences() throws IOException {
        near.setTrafficClass(0x10);
        assertThat(near.getTrafficClass()).isEqualTo(0x10);
        assertThatThrownBy(() -> near.setTrafficClass(256)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> near.setTrafficClass(-1)).isInstanceOf(IllegalArgumentException.class);
        near.setPerformancePreferences(1, 2, 3);
        server.setPerformancePreferences(3, 2, 1);
    }

    @Test
    void optionsByName() throws IOException {
        Map<SocketOption<?>, Object> values = Map.of(
                StandardSocketOptions.SO_RCVBUF,
                BUFFER_BYTES,
                StandardSocketOptions.SO_SNDBUF,
                BUFFER_BYTES,
                StandardSocketOptions.SO_KEEPALIVE,
                true,
                StandardSocketOptions.SO_REUSEADDR,
                true,
                StandardSocketOptions.SO_LINGER,
                7,
                StandardSocketOptions.TCP_NODELAY,
                true,
                StandardSocketOptions.IP_TOS,
                0x10);
        assertThat(near.supportedOptions()).containsAll(values.keySet());
        for (Map.Entry<SocketOption<?>, Object> entry : values.entrySet()) {
            set(entry.getKey(), entry.getValue());
        }
        assertThat(near.getOption(StandardSocketOptions.SO_RCVBUF)).isGreaterThanOrEqualTo(BUFFER_BYTES);
        assertThat(near.getOption(StandardSocketOptions.SO_KEEPALIVE)).isTrue();
        assertThat(near.getKeepAlive()).isTrue();
        assertThat(near.getOption(StandardSocketOptions.SO_LINGER)).isEqualTo(7);
        assertThat(near.getSoLinger()).isEqualTo(7);
        near.setOption(StandardSocketOptions.SO_LINGER, -1);
        assertThat(near.getOption(StandardSocketOptions.SO_LINGER)).isEqualTo(-1);
    }

    @SuppressWarnings("unchecked")
    private <T> void set(SocketOption<T> option, Object value) throws IOException {
        near.setOption(option, (T) value);
    }

    @Test
    void wrongOptionsByNameAreRefused() throws IOException {
        assertThatThrownBy(() -> near.setOption(StandardSocketOptions.SO_BROADCAST, true))
                .isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> near.getOption(StandardSocketOptions.IP_MULTICAST_TTL))
                .isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> near.setOption(StandardSocketOptions.SO_RCVBUF, -1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> near.setOption(StandardSocketOptions.SO_KEEPALIVE, null))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> near.setOption(null, true)).isInstanceOf(NullPointerException.class);
        near.close();
        assertThatThrownBy(() -> near.getOption(StandardSocketOptions.SO_RCVBUF))
                .isInstanceOf(SocketException.class);
        assertThatThrownBy(() -> near.setOption(StandardSocketOptions.SO_RCVBUF, 1))
                .isInstanceOf(SocketException.class);
    }

    @Test
    void optionsOfAServerByName() throws IOException {
        assertThat(server.supportedOptions())
                .contains(StandardSocketOptions.SO_RCVBUF, StandardSocketOptions.SO_REUSEADDR);
        server.setOption(StandardSocketOptions.SO_RCVBUF, BUFFER_BYTES);
        assertThat(server.getOption(StandardSocketOptions.SO_RCVBUF)).isGreaterThanOrEqualTo(BUFFER_BYTES);
        assertThatThrownBy(() -> server.setOption(StandardSocketOptions.TCP_NODELAY, true))
                .isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void optionsOfAConnectedSocketCanBeSet() throws IOException {
        connect();
        far.setTcpNoDelay(true);
        far.setKeepAlive(true);
        far.setSendBufferSize(BUFFER_BYTES);
        far.setReceiveBufferSize(BUFFER_BYTES);
        far.setTrafficClass(0x08);
        near.getOutputStream().write(7);
        assertThat(far.getInputStream().read()).isEqualTo(7);
    }
}
