package io.hawser.it.chaos;

import io.hawser.core.config.HostPort;
import io.hawser.it.ledger.Ledger;
import io.hawser.ptcp.testkit.TestTimes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** Downloads one object by curl and lftp through agent-a, again and again: what they call complete must be equal. */
final class Downloader extends Publisher {
    private static final int SIZE_BYTES = 8 << 20;
    private static final long LIMIT_SECONDS =
            TestTimes.scaled(Duration.ofSeconds(90)).toSeconds();
    private static final String PATH = "seed/large";

    private final Supplier<HostPort> ftp;
    private final Path into;
    private final String sha256;
    private final AtomicInteger complete = new AtomicInteger();
    private final AtomicInteger broken = new AtomicInteger();

    Downloader(RunParts run, SplittableRandom random) throws IOException {
        super("downloads", 2 * run.settings().pace(), run, random);
        Deployment deployment = run.deployment();
        ftp = () -> deployment.agentA.address("ftp");
        into = settings.directory().resolve("downloaded");
        byte[] content = Content.of(random, SIZE_BYTES);
        sha256 = Ledger.sha256(content);
        for (String subscription : Deployment.SUBSCRIPTIONS) {
            Path file = deployment.target(subscription).resolve(PATH);
            Files.createDirectories(file.getParent());
            Files.write(file, content);
        }
    }

    int complete() {
        return complete.get();
    }

    int broken() {
        return broken.get();
    }

    /** Mostly by curl; where there is lftp, sometimes by that, which resumes by itself. */
    private List<String> command() {
        HostPort at = ftp.get();
        if (FtpTool.LFTP.isInstalled() && random.nextInt(3) == 0) {
            return List.of(
                    "timeout",
                    Long.toString(LIMIT_SECONDS),
                    "lftp",
                    "-c",
                    "set net:max-retries 3; set net:timeout 20; set net:reconnect-interval-base 1; set net:limit-rate 8000000; open -u"
                            + " anonymous,x -p " + at.port() + " " + at.host() + "; get " + PATH + " -o " + into);
        }
        return List.of(
                "curl",
                "-sS",
                "--limit-rate",
                "8M",
                "--max-time",
                Long.toString(LIMIT_SECONDS),
                "-o",
                into.toString(),
                "ftp://" + at + "/" + PATH);
    }

    @Override
    void once() throws Exception {
        Files.deleteIfExists(into);
        doing = "a download";
        Process curl = new ProcessBuilder(command())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            if (!curl.waitFor(LIMIT_SECONDS + 10, TimeUnit.SECONDS)) {
                throw new IllegalStateException("curl does not keep to its time");
            }
            if (curl.exitValue() != 0) {
                broken.incrementAndGet();
            } else if (Ledger.sha256(Files.readAllBytes(into)).equals(sha256)) {
                complete.incrementAndGet();
            } else {
                violations.add(
                        "corrupt",
                        "a download that its client calls complete has " + Files.size(into) + " other bytes");
            }
        } finally {
            curl.toHandle().destroyForcibly();
        }
    }
}
