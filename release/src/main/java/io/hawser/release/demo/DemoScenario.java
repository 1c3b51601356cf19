package io.hawser.release.demo;

import io.hawser.core.config.ByteSize;
import io.hawser.core.config.HostPort;
import io.hawser.release.process.PacedUpload;
import io.hawser.release.process.SampleFile;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BooleanSupplier;

/**
 * What the demos share: an upload during which nodes are killed, and the comparison of what is at both ends.
 *
 * <p>Thread: main only.
 */
abstract class DemoScenario<W extends DemoWatch> {
    static final String NAME = "demo.bin";
    static final Duration LIMIT = Duration.ofSeconds(80);
    static final double KILL_AGENT_B_AT = 0.25;
    static final double KILL_BROKER_AT = 0.60;

    /** On a busy machine the client waits this far after the place of each kill, so that every kill hits. */
    static final double PAUSE_AFTER = 0.02;

    private static final long SEED = 7400;

    /**
     * What the user has chosen.
     *
     * @param directory for the file and the nodes' data
     * @param bytesPerSecond that the client sends
     */
    record Terms(Path directory, long sizeBytes, long bytesPerSecond, PrintWriter out) {}

    final Terms terms;
    final W watch;
    final List<String> summary = new ArrayList<>();

    DemoScenario(Terms terms, W watch) {
        this.terms = terms;
        this.watch = watch;
    }

    /** Returns whether it ended as it should. */
    abstract boolean run() throws IOException, InterruptedException;

    /** Makes the file; returns its SHA-256. */
    final String makeSource() throws IOException {
        String digest = SampleFile.write(source(), terms.sizeBytes(), SEED);
        watch.say("a file of %s, SHA-256 %s", human(terms.sizeBytes()), digest);
        return digest;
    }

    private Path source() {
        return terms.directory().resolve("source.bin");
    }

    /** Begins the upload, which pauses after the place of the first kill. */
    final PacedUpload beginUpload(HostPort ftp) throws IOException {
        PacedUpload upload = PacedUpload.start(
                ftp, NAME, new BufferedInputStream(Files.newInputStream(source())), terms.bytesPerSecond());
        upload.ceiling(share(KILL_AGENT_B_AT + PAUSE_AFTER));
        watch.client(upload::sentBytes);
        watch.say("upload begins: ftp://%s/%s at %s/s", ftp, NAME, human(terms.bytesPerSecond()));
        return upload;
    }

    final void awaitUpload(PacedUpload upload, double part, BooleanSupplier also) throws InterruptedException {
        watch.await(String.format(Locale.ROOT, "%.0f %% of the upload", 100 * part), LIMIT, () -> {
            if (upload.reply().isCompletedExceptionally()) {
                upload.reply().join();
            }
            return upload.sentBytes() >= share(part) && also.getAsBoolean();
        });
    }

    final void awaitReply(PacedUpload upload) throws InterruptedException {
        watch.await("the final reply", LIMIT, () -> upload.reply().isDone());
        watch.say("the client's final reply: %s", upload.reply().join());
    }

    final long share(double part) {
        return (long) (part * terms.sizeBytes());
    }

    final void requireUnfinished(long durable) {
        if (durable <= 0 || durable >= terms.sizeBytes()) {
            throw new DemoFailedException("the kill came at the wrong time, so that it would prove nothing");
        }
    }

    /** A node that was stopped in order. */
    static void requireStopped(String node, int exitCode) {
        if (exitCode != 0) {
            throw new DemoFailedException(node + " ended with " + exitCode + " after SIGTERM");
        }
    }

    /** Prints both digests, the summary and a last line. */
    final void printEnd(String sent, String delivered, String verdict) {
        PrintWriter out = terms.out();
        out.println();
        out.println("  sent       " + sent);
        out.println("  delivered  " + delivered);
        out.println();
        summary.forEach(line -> out.println("  " + line));
        out.println();
        out.println(verdict);
    }

    static String human(long bytes) {
        return ByteSize.human(bytes);
    }

    /** A column of the summary. */
    static String column(int width, String format, Object... values) {
        return String.format(Locale.ROOT, "%-" + width + "s", String.format(Locale.ROOT, format, values));
    }
}
