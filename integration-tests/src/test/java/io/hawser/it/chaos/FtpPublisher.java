package io.hawser.it.chaos;

import io.hawser.core.config.HostPort;
import io.hawser.it.harness.Curl;
import io.hawser.it.ledger.Ledger;
import io.hawser.ptcp.testkit.TestTimes;
import io.hawser.release.process.PacedUpload;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * A script that uploads by FTP, one after the other, each again and again until it is told 226, with one tool. Now and then its curl is killed in mid-upload.
 */
final class FtpPublisher extends Publisher {
    private static final Duration LIMIT = TestTimes.scaled(Duration.ofSeconds(90));
    private static final int CUT_BYTES = 4 << 20;
    private static final long SLOWEST = 2 << 20;

    private final Supplier<HostPort> ftp;
    private final Path scratch;
    private final FtpTool tool;
    private final boolean killsClients;
    private final AtomicInteger killedClients = new AtomicInteger();
    private int cuts;

    FtpPublisher(String name, RunParts run, SplittableRandom random, FtpTool tool) throws IOException {
        super(name, run.settings().pace(), run, random);
        ftp = () -> run.deployment().agentA.address("ftp");
        this.tool = tool;
        killsClients = tool == FtpTool.CURL && settings.faults().contains(Fault.CLIENT);
        scratch =
                Files.createDirectories(settings.directory().resolve("sources")).resolve(name);
    }

    int killedClients() {
        return killedClients.get();
    }

    @Override
    void once() throws Exception {
        if (killsClients && (killedClients.get() == 0 || random.nextInt(20) == 0)) {
            cutUpload();
            return;
        }
        String path = nextPath();
        byte[] content = nextContent(path);
        Ledger.Version version = ledger.version(path, content);
        Files.write(scratch, content);
        while (!attempt(version, content)) {
            Thread.sleep(100 + random.nextInt(400));
        }
    }

    private boolean attempt(Ledger.Version version, byte[] content) throws Exception {
        ledger.attempt(version);
        doing = "an upload of " + version.path + ", version " + version.number;
        String complaint =
                switch (tool) {
                    case CURL -> curl(version.path);
                    case PACED -> paced(version.path, content);
                    default -> program(version.path);
                };
        if (complaint.isEmpty()) {
            ledger.acked(version);
            pulse.beat("agent-a");
            return true;
        }
        ledger.failed(version, complaint);
        return false;
    }

    private String curl(String path) throws Exception {
        String[] options = random.nextInt(3) == 0 ? new String[] {"--limit-rate", "3M"} : new String[0];
        try (Curl curl = Curl.upload(ftp.get(), scratch, path, options)) {
            int code = curl.await(LIMIT);
            return code == 0 ? "" : "curl " + code + " " + curl.complaints();
        } catch (IllegalStateException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private String program(String path) throws Exception {
        Path output = scratch.resolveSibling(name + ".out");
        Process process = new ProcessBuilder(tool.upload(ftp.get(), scratch, path, (int) LIMIT.toSeconds()))
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        try {
            boolean ended = process.waitFor(LIMIT.toSeconds() + 10, TimeUnit.SECONDS);
            return ended && process.exitValue() == 0 ? "" : tool + " failed: " + Files.readString(output);
        } finally {
            process.destroyForcibly();
        }
    }

    @Override
    boolean canOddNames() {
        return tool != FtpTool.GLOBUS;
    }

    private String paced(String path, byte[] content) throws InterruptedException {
        long rate = SLOWEST << random.nextInt(5);
        PacedUpload upload = PacedUpload.start(ftp.get(), path, new ByteArrayInputStream(content), rate);
        try {
            String reply = upload.reply().get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
            return reply.startsWith("226") ? "" : reply;
        } catch (ExecutionException | TimeoutException e) {
            return String.valueOf(e);
        }
    }

    /** What it sends is not in the ledger, so that any byte of it at the far end is one too many. */
    private void cutUpload() throws Exception {
        Files.write(scratch, Content.of(random, CUT_BYTES));
        try (Curl curl = Curl.upload(ftp.get(), scratch, name + "/cut-" + cuts++, "--limit-rate", "1M")) {
            Thread.sleep(300 + random.nextInt(700));
            if (curl.isAlive()) {
                curl.kill();
                killedClients.incrementAndGet();
            }
        }
    }
}
