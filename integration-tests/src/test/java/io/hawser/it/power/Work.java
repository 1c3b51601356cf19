package io.hawser.it.power;

import io.hawser.client.ClientOptions;
import io.hawser.client.DeliveryReceipt;
import io.hawser.client.HawserClient;
import io.hawser.client.SentTransfer;
import io.hawser.core.config.HostPort;
import io.hawser.it.ledger.Ledger;
import io.hawser.it.ledger.Violations;
import io.hawser.release.process.ProcessChain;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * Two FTP clients, one upload after the other, and a program with the Java API, some at once. They work until they are paused. The program's
 * own state is on a disk that is never cut.
 *
 * <p>Thread: its own three; the calls are for any.
 */
final class Work implements AutoCloseable {
    /** What the names of uploads by FTP begin with. */
    static final String FTP = "ftp-";

    private static final int SMALL_BYTES = 60_000;
    private static final int LARGE_BYTES = 3 << 20;
    private static final int AT_ONCE = 8;
    private static final int PAUSE_MILLIS = 20;

    private final Ledger ledger;
    private final Violations violations;
    private final HawserClient client;
    private final AtomicInteger busy = new AtomicInteger();
    private final AtomicInteger open = new AtomicInteger();
    private volatile boolean paused = true;
    private volatile boolean closed;

    Work(Supplier<HostPort> ftp, HostPort broker, Path state, Ledger ledger, Violations violations, long seed)
            throws IOException {
        this.ledger = ledger;
        this.violations = violations;
        client = HawserClient.connect(ClientOptions.of(broker.toString()).withState(state));
        SplittableRandom random = new SplittableRandom(seed);
        FtpClient uploads = new FtpClient(ftp, ledger, violations);
        start(FTP + "0", random.split(), uploads::upload);
        start(FTP + "1", random.split(), uploads::upload);
        start("api", random.split(), this::send);
    }

    private interface Step {
        void run(String name, byte[] content) throws Exception;
    }

    private void start(String lane, SplittableRandom random, Step step) {
        Thread thread = new Thread(() -> run(lane, random, step), lane);
        thread.setDaemon(true);
        thread.start();
    }

    private void run(String lane, SplittableRandom random, Step step) {
        for (int number = 0; !closed; number++) {
            busy.incrementAndGet();
            try {
                if (!paused && open.get() < AT_ONCE) {
                    step.run(lane + "-" + number, content(random));
                }
            } catch (InterruptedException e) {
                return;
            } catch (Exception e) {
                if (!closed) {
                    violations.add("client", lane + ": " + e);
                }
            } finally {
                busy.decrementAndGet();
            }
            try {
                TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private static byte[] content(SplittableRandom random) {
        int size = random.nextInt(5) < 2 ? random.nextInt(SMALL_BYTES) : random.nextInt(LARGE_BYTES);
        byte[] content = new byte[size];
        random.nextBytes(content);
        return content;
    }

    private void send(String name, byte[] content) throws IOException {
        Ledger.Version version = ledger.attemptOnce(name, content);
        open.incrementAndGet();
        SentTransfer sent = client.send(ProcessChain.TOPIC, name, content);
        var unused = sent.spooled().thenAccept(key -> ledger.acked(version));
        var unused2 = sent.delivered().whenComplete((receipts, failure) -> {
            if (failure != null) {
                violations.add("lost", name + " failed: " + failure);
            } else if (!deliveredOnce(receipts)) {
                violations.add("receipts", name + " has " + receipts);
            }
            open.decrementAndGet();
        });
    }

    private static boolean deliveredOnce(List<DeliveryReceipt> receipts) {
        return receipts.size() == 1
                && receipts.get(0).status() == DeliveryReceipt.Status.DELIVERED
                && receipts.get(0).subscription().equals(ProcessChain.SUBSCRIPTION);
    }

    void resume() {
        paused = false;
    }

    /** Begins nothing new. */
    void pause() {
        paused = true;
    }

    /** Whether no upload runs and the program has an outcome of all that it sent. */
    boolean isIdle() {
        return paused && busy.get() == 0 && open.get() == 0;
    }

    @Override
    public void close() {
        closed = true;
        client.close();
    }
}
