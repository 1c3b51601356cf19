package io.hawser.agenta.ftp.data;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import io.hawser.core.ftp.AddressRanges;
import io.hawser.core.ftp.PortRange;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Addresses that a client or the operator writes: numbers only, and nothing else is thrown than says what is wrong. */
class AddressFuzzTest {
    @FuzzTest(maxDuration = "1m")
    void fromClients(byte[] data) {
        String text = new String(data, StandardCharsets.UTF_8);
        check(DataAddress.parsePort(text));
        check(DataAddress.parseExtended(text));
        if (DataAddress.isOtherProtocol(text)) {
            assertThat(DataAddress.parseExtended(text)).isEmpty();
        }
    }

    private static void check(Optional<InetSocketAddress> address) {
        address.ifPresent(found -> {
            assertThat(found.isUnresolved()).isFalse();
            assertThat(found.getPort()).isBetween(0, 65535);
        });
    }

    @FuzzTest(maxDuration = "1m")
    void fromOperators(byte[] data) {
        String text = new String(data, StandardCharsets.UTF_8);
        try {
            assertThat(AddressRanges.parse(text).contains(InetAddress.getLoopbackAddress()))
                    .isIn(true, false);
        } catch (IllegalArgumentException e) {
            assertThat(e.getMessage()).isNotBlank();
        }
        try {
            PortRange range = PortRange.parse(text);
            assertThat(range.attempts().next()).isBetween(range.first(), range.last());
        } catch (IllegalArgumentException e) {
            assertThat(e.getMessage()).isNotBlank();
        }
    }
}
