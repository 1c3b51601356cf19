package io.hawser.agenta.ftp;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.agenta.AgentA;
import io.hawser.agenta.AgentAConfig;
import io.hawser.agenta.testkit.RawFtp;
import io.hawser.core.config.HostPort;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.ops.node.AdminSettings;
import io.hawser.ptcp.PtcpOptions;
import io.hawser.store.spool.SpoolConfig;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The same as {@link ExclusiveChangesTest} over the spool on a real disk, with no broker in reach. */
class ExclusiveChangesOnDiskTest {
    @TempDir
    Path directory;

    private AgentA agent;
    private RawFtp one;
    private RawFtp two;

    @BeforeEach
    void start() throws Exception {
        agent = AgentA.start(new AgentAConfig(
                List.of(new HostPort("127.0.0.1", 1)),
                PtcpOptions.DEFAULT,
                new AgentAConfig.Store(directory.resolve("spool"), SpoolConfig.defaults()),
                new AgentAConfig.Buffers(64 << 10, 8),
                FtpServerConfig.anonymous(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)),
                AdminSettings.NONE));
        String address = agent.addresses().getOrDefault("ftp", "");
        int port = Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
        one = RawFtp.login(port);
        two = RawFtp.login(port);
        one.ok("TYPE I");
    }

    @AfterEach
    void stop() throws Exception {
        one.close();
        two.close();
        agent.stop();
    }

    @ParameterizedTest
    @CsvSource({"MKD %s.lock,MKD %s.lock", "DELE %s,DELE %s", "RNTO %s.1,RNTO %s.2"})
    @Invariant(InvariantName.HONEST_ANSWERS)
    void oneOfTwoAtOnceSucceeds(String first, String second) throws Exception {
        for (int round = 0; round < 20; round++) {
            String name = "/t/" + round;
            one.upload("STOR " + name, new byte[1]);
            if (first.startsWith("RNTO")) {
                for (RawFtp client : List.of(one, two)) {
                    client.send("RNFR " + name);
                    client.expect(350);
                }
            }

            one.send(first.formatted(name));
            two.send(second.formatted(name));

            assertThat(List.of(one.reply(), two.reply()))
                    .as("round %d", round)
                    .filteredOn(reply -> reply.startsWith("25"))
                    .hasSize(1);
        }
    }
}
