package io.hawser.agenta.ftp;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import io.hawser.agenta.ftp.data.DataRules;
import io.hawser.agenta.testkit.FtpFixture;
import io.hawser.agenta.testkit.FtpSettings;
import io.hawser.agenta.testkit.OnFtpServer;
import io.hawser.agenta.testkit.RandomBytes;
import io.hawser.agenta.testkit.RawFtp;
import io.hawser.core.ftp.AddressRanges;
import io.hawser.core.ftp.PortRange;
import io.hawser.core.testkit.LogCapture;
import io.hawser.core.testkit.Program;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Data connections that this end opens, and who may take part in them. */
class ActiveModeTest extends OnFtpServer {
    @TempDir
    Path directory;

    private RawFtp login(UnaryOperator<FtpSettings> config) throws Exception {
        ftp = FtpFixture.start(config);
        RawFtp client = RawFtp.login(ftp.port);
        return client;
    }

    private static ServerSocket listen(String address) throws Exception {
        return new ServerSocket(0, 4, InetAddress.getByName(address));
    }

    private static String port(String address, int port) {
        return "PORT " + address.replace('.', ',') + "," + (port >> 8) + "," + (port & 0xFF);
    }

    private static UnaryOperator<FtpSettings> thirdParties(String ranges) {
        return config -> config.withData(new DataRules(PortRange.ANY, null, AddressRanges.parse(ranges)));
    }

    @Test
    void connectionIsOpenedAtTheTransferCommandAndNotBefore() throws Exception {
        RawFtp client = login(config -> config);
        try (ServerSocket data = listen("127.0.0.1")) {
            client.ok(port("127.0.0.1", data.getLocalPort()));
            client.ok("NOOP");
            data.setSoTimeout(100);
            assertThat(org.assertj.core.api.Assertions.catchThrowable(data::accept))
                    .isNotNull();
            data.setSoTimeout(10_000);

            client.expect("STOR /t/f", 150);
            try (Socket connection = data.accept()) {
                connection.getOutputStream().write("hello".getBytes(java.nio.charset.StandardCharsets.UTF_8));
            }
            client.expect(226);
        }
        assertThat(ftp.spool.content("t", "f")).asString().isEqualTo("hello");
    }

    @Test
    void eprtServesOneTransferAndListings() throws Exception {
        RawFtp client = login(config -> config);
        try (ServerSocket data = listen("127.0.0.1")) {
            client.ok("EPRT |1|127.0.0.1|" + data.getLocalPort() + "|");
            client.expect("LIST", 150);
            data.accept().close();
            client.expect(226);
            client.expect("LIST", 425);
        }
    }

    @Test
    void nobodyButThePeerCanBeConnectedTo() throws Exception {
        RawFtp client = login(config -> config);
        try (ServerSocket other = listen("127.0.0.2")) {
            for (String command : new String[] {
                port("127.0.0.2", other.getLocalPort()),
                "EPRT |1|127.0.0.2|" + other.getLocalPort() + "|",
                "EPRT |2|::1|" + other.getLocalPort() + "|",
                port("127.0.0.1", 25),
                port("127.0.0.1", 1023),
                port("0.0.0.0", 5000)
            }) {
                client.expect(command, 504);
                client.expect("STOR /t/f", 425);
            }
        }
    }

    @Test
    void aFloodOfRefusedDataConnectionsIsOneLineOfEachCause() throws Exception {
        RawFtp client = login(config -> config);
        try (LogCapture log = LogCapture.of("io.hawser.agenta.ftp", Level.WARN)) {
            for (int i = 0; i < 10; i++) {
                int passive = client.passivePort();
                InetAddress other = InetAddress.getByName("127.0.0.2");
                try (Socket stranger = new Socket(InetAddress.getLoopbackAddress(), passive, other, 0)) {
                    assertThat(stranger.getInputStream().read()).isEqualTo(-1);
                }
                client.expect(port("127.0.0.2", 5000), 504);
            }
            assertThat(log.events())
                    .extracting(ILoggingEvent::getMessage)
                    .containsExactly("data connection refused: not from an allowed address", "data address refused");
        }
    }

    @Test
    void malformedAddressesAreRefused() throws Exception {
        RawFtp client = login(config -> config);
        for (String command : new String[] {
            "PORT",
            "PORT 127,0,0,1,4",
            "PORT 127,0,0,1,4,256",
            "PORT 127,0,0,1,-4,1",
            "PORT 127,0,0,1,4,1,1",
            "PORT a,b,c,d,e,f",
            "EPRT",
            "EPRT |1|localhost|5000|",
            "EPRT |1|127.0.0.1|65536|",
            "EPRT |1|127.0.0.1|5000",
            "EPRT |2|fe80::1%eth0|5000|",
            "EPRT |x|::1|5000|", // what is no protocol was taken for IPv6
            "EPRT |99999999|::1|5000|",
            "EPRT " + "|".repeat(5000)
        }) {
            client.expect(command, 501);
        }
        client.expect("EPRT |3|127.0.0.1|5000|", 522);
        client.ok("EPSV ALL");
        client.expect(port("127.0.0.1", 5000), 503);
    }

    @Test
    void addressesOfTheListMayTakePart() throws Exception {
        RawFtp client = login(thirdParties("127.0.0.2/31,192.0.2.0/24"));
        try (ServerSocket other = listen("127.0.0.3")) {
            client.ok(port("127.0.0.3", other.getLocalPort()));
            client.expect("STOR /t/f", 150);
            other.accept().close();
            client.expect(226);
        }
        int passive = client.passivePort();
        client.expect("STOR /t/g", 150);
        try (Socket stranger = new Socket()) {
            stranger.bind(new InetSocketAddress("127.0.0.4", 0));
            stranger.connect(new InetSocketAddress("127.0.0.1", passive));
            assertThat(stranger.getInputStream().read()).isEqualTo(-1);
        }
        try (Socket third = new Socket()) {
            third.bind(new InetSocketAddress("127.0.0.2", 0));
            third.connect(new InetSocketAddress("127.0.0.1", passive));
        }
        client.expect(226);
        client.expect(port("127.0.0.4", 5000), 504);
    }

    @Test
    void portThatNobodyListensOnIsA425() throws Exception {
        RawFtp client = login(config -> config.withDataTime(Duration.ofSeconds(5)));
        int closed;
        try (ServerSocket data = listen("127.0.0.1")) {
            closed = data.getLocalPort();
        }
        client.ok(port("127.0.0.1", closed));
        client.expect("STOR /t/f", 150);
        client.expect(425);
        client.ok("NOOP");
    }

    @Test
    void configuredAddressStandsInTheAnswerToPasv() throws Exception {
        Inet4Address outside = (Inet4Address) InetAddress.getByName("192.0.2.7");
        RawFtp client = login(config -> config.withData(new DataRules(PortRange.ANY, outside, AddressRanges.NONE)));

        assertThat(client.ok("PASV")).contains("(192,0,2,7,");
    }

    @Test
    void curlUploadsActively() throws Exception {
        ftp = FtpFixture.start(config -> config);
        byte[] bytes = RandomBytes.of(700_000);
        Files.write(directory.resolve("f"), bytes);

        Program.run(directory, "curl", "-sS", "-P", "-", "-T", "f", "ftp://127.0.0.1:" + ftp.port + "/t/eprt")
                .succeeded();
        Program.run(
                        directory,
                        "curl",
                        "-sS",
                        "--disable-eprt",
                        "-P",
                        "-",
                        "-T",
                        "f",
                        "ftp://127.0.0.1:" + ftp.port + "/t/port")
                .succeeded();
        Program.run(
                        directory,
                        "lftp",
                        "-e",
                        "set ftp:passive-mode off; put f -o /t/lftp; bye",
                        "ftp://127.0.0.1:" + ftp.port)
                .succeeded();

        assertThat(ftp.spool.content("t", "eprt")).isEqualTo(bytes);
        assertThat(ftp.spool.content("t", "port")).isEqualTo(bytes);
        assertThat(ftp.spool.content("t", "lftp")).isEqualTo(bytes);
    }
}
