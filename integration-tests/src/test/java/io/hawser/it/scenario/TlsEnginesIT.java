package io.hawser.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.it.harness.CommandRun;
import io.hawser.ptcp.TlsProviders;
import io.hawser.release.process.NodeProcess;
import io.hawser.release.process.ProcessChain.Part;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Nodes whose TLS is by different code speak with each other, and each says which it has. With real processes. */
class TlsEnginesIT extends Scenario {
    private static final String MISSING = "BoringSSL cannot be loaded";

    /** As Netty has it where the library is of another machine: what it looks for is not there. */
    private static final String UNLOADABLE = "-Dio.netty.handler.ssl.noOpenSsl=true";

    @ParameterizedTest
    @EnumSource(Part.class)
    void oneNodeWithoutTheLibrarySpeaksWithTheOthers(Part without) throws Exception {
        start(Map.of(without, UNLOADABLE));

        for (Part part : Part.values()) {
            String expected = part == without ? "by JDK" : "by BoringSSL";
            assertThat(page(part, "/health")).contains("\"tls\" : \"" + expected + "\"");
            assertThat(chain.node(part).log().split(MISSING, -1))
                    .as("how often " + part + " says it")
                    .hasSize(part == without ? 2 : 1);
        }
        sendsAFile();
    }

    @Test
    void whoWantsTheJdksTlsHasItAndNoComplaint() throws Exception {
        start(Map.of(Part.BROKER, "-D" + TlsProviders.JDK_PROPERTY + "=true"));

        assertThat(page(Part.BROKER, "/health")).contains("\"tls\" : \"by JDK\"");
        assertThat(chain.node(Part.BROKER).log()).doesNotContain(MISSING);
        sendsAFile();
    }

    private void start(Map<Part, String> options) throws Exception {
        Path keys = directory.resolve("keys");
        CommandRun.of("keys", "init", keys.toString()).succeeded();
        for (Part part : Part.values()) {
            List<String> all =
                    new ArrayList<>(part == Part.BROKER ? NodeProcess.BROKER_OPTIONS : NodeProcess.NODE_OPTIONS);
            if (options.containsKey(part)) {
                all.add(options.get(part));
            }
            chain.withJvmOptions(part, all).with(part, "--tls", keys.toString());
        }
        chain.startAll();
    }

    private void sendsAFile() throws Exception {
        Path source = sample("source", 9 * MIB, 1);
        upload(source, "over tls");
        awaitDelivered(source, "over tls");
    }
}
