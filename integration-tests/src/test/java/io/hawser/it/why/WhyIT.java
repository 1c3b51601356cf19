package io.hawser.it.why;

import io.hawser.core.config.HostPort;
import io.hawser.core.testkit.FarServerProcess;
import io.hawser.it.harness.Curl;
import io.hawser.it.harness.DiskThrottle;
import io.hawser.it.harness.LoopDisk;
import io.hawser.it.harness.Shell;
import io.hawser.it.scenario.Scenario;
import io.hawser.ops.observe.HopStatus;
import io.hawser.ops.observe.TransferStatus;
import io.hawser.release.process.ProcessChain;
import io.hawser.release.process.ProcessChain.Part;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Throttles each stage of a chain of real processes in turn, by real means, and asks {@code hawser why} 5 s later: at least 95 % of all
 * trials must name the throttled stage. Links are throttled in {@code WhyLinksIT}.
 */
@Tag("full")
class WhyIT extends Scenario {
    private static final String IN = HopStatus.CLIENT_TO_AGENT;
    private static final String UP = HopStatus.PUBLISHER_TO_BROKER;
    private static final String DOWN = HopStatus.toSubscription(ProcessChain.SUBSCRIPTION);
    private static final long DISK_BYTES = 512 * MIB;
    private static final long SLOW_DISK_BYTES_PER_SECOND = 2_000_000;

    private static final Trials RESULTS = new Trials();

    @AfterAll
    static void report() {
        RESULTS.report();
    }

    /** Uploads, and judges each upload when it has waited for the window of a verdict. */
    private void uploads(String throttle, Set<String> wanted, long bytes) throws Exception {
        Path source = sample("source", bytes, 1);
        trials(throttle, wanted, name -> upload(source, name));
    }

    /** The same of uploads that do not end by then. */
    private void slowUploads(String throttle, Set<String> wanted, long bytes, String... options) throws Exception {
        Path source = sample("source", bytes, 1);
        List<Curl> clients = new ArrayList<>();
        trials(throttle, wanted, name -> clients.add(Curl.upload(chain.ftp(), source, name, options)));
        clients.forEach(Curl::close);
    }

    private void trials(String throttle, Set<String> wanted, Trials.Upload begin) throws Exception {
        RESULTS.run(throttle, wanted, begin, transfer -> {
            List<HostPort> admins = new ArrayList<>();
            for (Part part : Part.values()) {
                chain.admin(part).ifPresent(admins::add);
            }
            String newest = chain.status(Part.AGENT_A, transfer)
                    .map(TransferStatus::key)
                    .orElse(transfer);
            return Verdicts.ask(newest, admins);
        });
    }

    private static Set<String> stage(String hop, String stage) {
        return Set.of(hop + " " + stage);
    }

    // --- the client, rates, order
    @Test
    void aSlowClient() throws Exception {
        chain.startAll();
        slowUploads("slow client", stage(IN, "client"), 40 * MIB, "--limit-rate", "2M");
    }

    @Test
    void theRateOfAgentA() throws Exception {
        chain.with(Part.AGENT_A, "--rate", "2MB/s").startAll();
        uploads("--rate of agent-a", stage(UP, "rate-limit"), 64 * MIB);
    }

    @Test
    void theRateOfTheBroker() throws Exception {
        chain.with(Part.BROKER, "--rate", "2MB/s").startAll();
        uploads("--rate of the broker", stage(DOWN, "rate-limit"), 64 * MIB);
    }

    @Test
    void theMaxRateOfASubscription() throws Exception {
        chain.with(Part.AGENT_B, "--max-rate", "2MB/s").startAll();
        uploads("--max-rate", stage(DOWN, "rate-limit"), 64 * MIB);
    }

    @Test
    void anEarlierTransferOfThePath() throws Exception {
        chain.with(Part.AGENT_A, "--rate", "4MB/s").startAll();
        Path first = sample("first", 80 * MIB, 1);
        Path second = sample("second", 100_000, 2);
        trials("order by path", stage(UP, "path-order"), name -> {
            upload(first, name);
            upload(second, name);
        });
    }

    // --- nodes that are away
    @Test
    void aStoppedConsumer() throws Exception {
        chain.startAll();
        Path source = sample("source", 64 * MIB, 1);
        trials("agent-b stopped (SIGSTOP)", stage(DOWN, "peer-away"), name -> {
            Shell.signal("STOP", chain.node(Part.AGENT_B).pid());
            upload(source, name);
        });
    }

    @Test
    void aKilledConsumer() throws Exception {
        chain.startAll();
        chain.kill(Part.AGENT_B);
        uploads("agent-b killed", stage(DOWN, "peer-away"), 64 * MIB);
    }

    @Test
    void aKilledBroker() throws Exception {
        chain.startAll();
        chain.kill(Part.BROKER);
        uploads("broker killed", stage(UP, "peer-away"), 8 * MIB);
    }

    // --- space
    @Test
    void theQuotaOfTheBroker() throws Exception {
        chain.with(Part.BROKER, "--quota", "8MiB");
        chain.start(Part.BROKER);
        chain.start(Part.AGENT_A);
        upload(sample("fills", 6 * MIB, 2), "fills");
        uploads("quota", stage(UP, "space"), 6 * MIB);
    }

    @Test
    void theHeadRoomOfAgentB() throws Exception {
        chain.with(Part.AGENT_B, "--head-room", "1000GiB").startAll();
        uploads("head-room of agent-b", stage(DOWN, "space"), 6 * MIB);
    }

    // --- the far server and disks
    @Test
    void aSlowFarServer() throws Exception {
        try (FarServerProcess server = FarServerProcess.vsftpd(directory.resolve("vsftpd"), "anon_max_rate=1000000")) {
            chain.into("ftp://127.0.0.1:" + server.port() + "/in").startAll();
            uploads("slow far server", stage(DOWN, "far-server"), 24 * MIB);
        }
    }

    @Test
    void aSlowDiskOfTheSpool() throws Exception {
        onSlowDisk("disk of the spool", Part.AGENT_A, Set.of(IN + " force"));
    }

    @Test
    void aSlowDiskOfTheBroker() throws Exception {
        onSlowDisk("disk of the broker", Part.BROKER, Set.of(UP + " log"));
    }

    @Test
    void aSlowDiskOfAgentB() throws Exception {
        onSlowDisk("disk of agent-b", Part.AGENT_B, Set.of(DOWN + " far-disk", DOWN + " verification"));
    }

    private void onSlowDisk(String throttle, Part part, Set<String> wanted) throws Exception {
        LoopDisk disk;
        try {
            disk = LoopDisk.make(directory.resolve("disk.img"), directory.resolve("disk"), "ext4", DISK_BYTES);
        } catch (IOException e) {
            skipped(throttle, e);
            return;
        }
        try (disk;
                DiskThrottle slow = DiskThrottle.of(disk)) {
            chain.at(part, directory.resolve("disk/data"));
            if (part == Part.AGENT_B) {
                chain.into(directory.resolve("disk/into").toString());
            }
            chain.startAll();
            slow.limit(SLOW_DISK_BYTES_PER_SECOND).hold(chain.node(part).pid());
            slowUploads(throttle, wanted, 100 * MIB);
            chain.close();
        }
    }

    private static void skipped(String throttle, IOException why) {
        RESULTS.skip(throttle, String.valueOf(why.getMessage()));
        Assumptions.abort(throttle + ": " + why.getMessage());
    }
}
