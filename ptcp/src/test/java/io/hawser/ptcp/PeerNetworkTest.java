package io.hawser.ptcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.Inet6Address;
import java.net.InetAddress;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PeerNetworkTest {
    @ParameterizedTest
    @CsvSource({
        "192.0.2.7, 192.0.2.7",
        "2001:db8:1:2:3:4:5:6, 2001:db8:1:2::",
        "2001:db8:1:2::, 2001:db8:1:2::",
        "2001:db8:1:3::6, 2001:db8:1:3::",
        "::1, ::"
    })
    void networkIsTheFirst64BitsOfIpv6AndAllOfIpv4(String address, String network) throws Exception {
        assertThat(PeerNetwork.of(InetAddress.getByName(address))).isEqualTo(InetAddress.getByName(network));
    }

    @Test
    void mappedAddressIsTheIpv4Address() throws Exception {
        byte[] mapped = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, (byte) 0xFF, (byte) 0xFF, (byte) 192, 0, 2, 7};

        assertThat(PeerNetwork.of(Inet6Address.getByAddress(null, mapped, 0)))
                .isEqualTo(InetAddress.getByName("192.0.2.7"));
    }
}
