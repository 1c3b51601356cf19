package io.hawser.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.hawser.core.testkit.Program;
import io.hawser.release.process.ProcessChain.Part;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * An agent-b that is bound by the permissions of files, as every user but root is; root's right to pass them over is taken from its
 * process, so that its class path may lie in a directory of root's.
 */
class PlainUserIT extends Scenario {
    private static final String PASS_OVER_PERMISSIONS = "-dac_override,-dac_read_search";

    @Test
    @Tag("full")
    void aClientThatTakesRightsAwayStopsNobody() throws Exception {
        Program.needs("curl");
        Program.needs("setpriv");
        boolean isRoot = System.getProperty("user.name").equals("root");
        if (isRoot) {
            chain.by(Part.AGENT_B, "setpriv", "--inh-caps=-all", "--bounding-set=" + PASS_OVER_PERMISSIONS);
        }
        chain.startAll();
        assumeTrue(!isRoot || isBound(chain.node(Part.AGENT_B).pid()), "setpriv takes no capabilities away here");
        Path drop = Files.createDirectory(delivered("drop"));
        Files.setPosixFilePermissions(drop, PosixFilePermissions.fromString("-wx-wx-wx"));
        Path source = sample("source", 100_000, 1);

        ftp("MKD /kill");
        await("MKD").until(() -> Files.isDirectory(delivered("kill")));
        ftp("SITE CHMOD 0 /kill");
        await("the mode").until(() -> permissions("kill").equals("---------"));
        upload(source, "drop/f");
        upload(source, "other");
        awaitDelivered(source, "other");
        await("the reason").until(() -> page(Part.AGENT_B, "/transfers").contains("must be readable"));
        assertThat(chain.isRunning(Part.AGENT_B)).isTrue();

        chain.kill(Part.AGENT_B);
        chain.start(Part.AGENT_B);
        ftp("SITE CHMOD 755 /kill");
        await("the mode").until(() -> permissions("kill").equals("rwxr-xr-x"));
        Files.setPosixFilePermissions(drop, PosixFilePermissions.fromString("rwxr-xr-x"));
        awaitDelivered(source, "drop/f");
        assertThat(chain.node(Part.AGENT_B).log()).doesNotContain("disk failed");
    }

    private String permissions(String path) throws Exception {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(delivered(path)));
    }

    private void ftp(String command) throws Exception {
        String root = "ftp://127.0.0.1:" + chain.ftp().port() + "/";
        Program.run(directory, "curl", "-sS", "-l", root, "-Q", command, "-o", "/dev/null")
                .succeeded();
    }

    /** Whether neither CAP_DAC_OVERRIDE (bit 1) nor CAP_DAC_READ_SEARCH (bit 2) is among its effective capabilities. */
    private static boolean isBound(long pid) throws Exception {
        String status = Files.readString(Path.of("/proc/" + pid + "/status"), StandardCharsets.UTF_8);
        String effective = status.lines()
                .filter(line -> line.startsWith("CapEff:"))
                .findFirst()
                .orElseThrow()
                .substring("CapEff:".length())
                .trim();
        return (Long.parseUnsignedLong(effective, 16) & 0b110) == 0;
    }
}
