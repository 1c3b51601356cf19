package io.hawser.it.power;

import io.hawser.core.config.HostPort;
import io.hawser.it.ledger.Ledger;
import io.hawser.it.ledger.Violations;
import io.hawser.ptcp.testkit.TestTimes;
import io.hawser.release.process.PacedUpload;
import java.io.ByteArrayInputStream;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/** Uploads objects by FTP and keeps the ledger. Thread: any. */
record FtpClient(Supplier<HostPort> ftp, Ledger ledger, Violations violations) {
    private static final long RATE = 1L << 30;
    private static final long LIMIT_SECONDS = 2 * TestTimes.SECONDS;

    /** Uploads one, and waits for the reply. */
    void upload(String name, byte[] content) throws InterruptedException {
        Ledger.Version version = ledger.attemptOnce(name, content);
        PacedUpload upload = PacedUpload.start(ftp.get(), name, new ByteArrayInputStream(content), RATE);
        try {
            if (upload.reply().get(LIMIT_SECONDS, TimeUnit.SECONDS).startsWith("226")) {
                ledger.acked(version);
            }
        } catch (ExecutionException e) {
            ledger.failed(version, e.toString()); // agent-a is away, or refused: nothing was promised
        } catch (TimeoutException e) {
            violations.add("liveness", name + ": no reply within " + LIMIT_SECONDS + " s");
        }
    }
}
