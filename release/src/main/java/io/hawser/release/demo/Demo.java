package io.hawser.release.demo;

import io.hawser.core.config.ByteSize;
import io.hawser.ops.observe.HopStatus;
import io.hawser.release.process.Chain;
import io.hawser.release.process.Chain.Part;
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
 * The story: an upload during which agent-b and the broker are killed, after which agent-a is killed while bytes are left
 * to send; then everything is started again and the file arrives.
 *
 * <p>Thread: main only.
 */
final class Demo {
    private static final String NAME = "demo.bin";
    private static final long SEED = 7400;
    private static final Duration LIMIT = Duration.ofSeconds(80);
    private static final double KILL_AGENT_B_AT = 0.25;
    private static final double KILL_BROKER_AT = 0.60;

    /** On a busy machine the client waits this far behind the place of each kill, so that every kill hits. */
    private static final double PAUSE_AFTER = 0.02;

    private final Chain chain;
    private final Path directory;
    private final long sizeBytes;
    private final long bytesPerSecond;
    private final PrintWriter out;
    private final DemoMeter meter;
    private final List<String> summary = new ArrayList<>();

    Demo(Chain chain, Path directory, long sizeBytes, long bytesPerSecond, PrintWriter out) {
        this.chain = chain;
        this.directory = directory;
        this.sizeBytes = sizeBytes;
        this.bytesPerSecond = bytesPerSecond;
        this.out = out;
        this.meter = new DemoMeter(chain, NAME, out);
    }

    /** Returns whether the same bytes are at both ends. */
    boolean run() throws IOException, InterruptedException {
        Path source = directory.resolve("source.bin");
        String expected = SampleFile.write(source, sizeBytes, SEED);
        meter.say("a file of %s, SHA-256 %s", ByteSize.human(sizeBytes), expected);
        startNodes();
        PacedUpload upload = PacedUpload.start(
                chain.ftp(), NAME, new BufferedInputStream(Files.newInputStream(source)), bytesPerSecond);
        upload.ceiling(share(KILL_AGENT_B_AT + PAUSE_AFTER));
        meter.client(upload::sentBytes);
        meter.say("upload begins: ftp://%s/%s at %s/s", chain.ftp(), NAME, ByteSize.human(bytesPerSecond));

        killAgentB(upload);
        long sentBeforeBrokerDied = killBroker(upload);
        awaitReply(upload);
        killAgentA();
        recover(sentBeforeBrokerDied);
        stopNodes();
        return compare(expected);
    }

    private void startNodes() throws IOException {
        for (Part part : List.of(Part.BROKER, Part.AGENT_A, Part.AGENT_B)) {
            long began = System.nanoTime();
            long pid = chain.start(part).pid();
            meter.say("%s runs, pid %d, after %.1f s", part.command(), pid, DemoMeter.secondsSince(began));
        }
    }

    private void killAgentB(PacedUpload upload) throws IOException, InterruptedException {
        awaitUpload(upload, KILL_AGENT_B_AT, () -> meter.agentBBytes() > share(KILL_AGENT_B_AT / 2));
        long before = meter.agentBBytes();
        long resentBefore = resent(meter.downlink().orElse(null));
        chain.kill(Part.AGENT_B);
        meter.say(
                "KILL -9 agent-b, while it had %s of %s durable (unfinished)",
                ByteSize.human(before), ByteSize.human(sizeBytes));
        requireUnfinished(before);
        // agent-b may have had all that was sent so far: the client goes on, or there would be nothing new for it to
        // take.
        upload.ceiling(share(KILL_BROKER_AT + PAUSE_AFTER));
        long dead = System.nanoTime();
        meter.await("a second without agent-b", LIMIT, () -> DemoMeter.secondsSince(dead) > 1.0);
        long began = System.nanoTime();
        chain.start(Part.AGENT_B);
        double ready = DemoMeter.secondsSince(began);
        meter.await("agent-b goes on", LIMIT, () -> meter.agentBBytes() > before);
        double recovered = DemoMeter.secondsSince(began);
        meter.say("agent-b is back: ready after %.1f s, took new bytes after %.1f s", ready, recovered);
        // What was in flight at the crash is sent again at once; let it catch up before it is counted.
        meter.await("agent-b catches up", LIMIT, () -> meter.brokerBytes() - meter.agentBBytes() < sizeBytes / 16);
        long again = resent(meter.downlink().orElse(null)) - resentBefore;
        summary.add(line("agent-b killed at %.0f %%", 100 * KILL_AGENT_B_AT)
                + line("%s re-sent to it (credit %s), back after %.1f s", ByteSize.human(again), credit(), recovered));
    }

    /** Returns how many bytes agent-a had sent to the broker when the broker died. */
    private long killBroker(PacedUpload upload) throws InterruptedException {
        awaitUpload(upload, KILL_BROKER_AT, () -> meter.brokerBytes() > sizeBytes / 2);
        chain.kill(Part.BROKER);
        meter.poll();
        long durable = meter.brokerBytes();
        meter.say(
                "KILL -9 broker, while it had %s of %s durable (unfinished); it stays down",
                ByteSize.human(durable), ByteSize.human(sizeBytes));
        requireUnfinished(durable);
        return meter.uplink().map(HopStatus::sentBytes).orElse(0L);
    }

    private void awaitReply(PacedUpload upload) throws InterruptedException {
        upload.ceiling(Long.MAX_VALUE);
        meter.await("the final reply", LIMIT, () -> upload.reply().isDone());
        meter.say("the client's final reply: %s", upload.reply().join());
        meter.say("the client is done and gone; the broker is still dead");
    }

    private void killAgentA() throws InterruptedException {
        meter.poll();
        long left = sizeBytes - meter.brokerBytes();
        chain.kill(Part.AGENT_A);
        meter.say(
                "KILL -9 agent-a, with %s left to send (%d bytes of %d are not at the broker)",
                ByteSize.human(left), left, sizeBytes);
        if (left <= 0) {
            throw new DemoFailedException("nothing was left to send, so that this kill would prove nothing");
        }
    }

    private void recover(long sentBeforeBrokerDied) throws IOException, InterruptedException {
        long began = System.nanoTime();
        chain.start(Part.BROKER);
        double brokerReady = DemoMeter.secondsSince(began);
        meter.poll();
        long durable = meter.brokerBytes();
        meter.say("broker is back after %.1f s, with %s durable", brokerReady, ByteSize.human(durable));
        long agentBegan = System.nanoTime();
        chain.start(Part.AGENT_A);
        double agentReady = DemoMeter.secondsSince(agentBegan);
        meter.await("agent-a goes on", LIMIT, () -> meter.brokerBytes() > durable);
        double agentRecovered = DemoMeter.secondsSince(agentBegan);
        meter.say(
                "agent-a is back: ready after %.1f s, new bytes at the broker after %.1f s",
                agentReady, agentRecovered);
        meter.await("delivery", LIMIT, () -> meter.delivered());
        meter.printProgress();
        meter.say("delivered, %.1f s after the broker's restart began", DemoMeter.secondsSince(began));
        long sentAfter = meter.uplink().map(HopStatus::sentBytes).orElse(0L);
        long lostWithBroker = Math.max(0, sentBeforeBrokerDied - durable);
        long again = Math.max(0, sentBeforeBrokerDied + sentAfter - sizeBytes);
        summary.add(line("broker killed at %.0f %%", 100 * KILL_BROKER_AT)
                + line(
                        "%s re-sent to it (credit %s), back after %.1f s",
                        ByteSize.human(Math.min(lostWithBroker, again)), credit(), brokerReady));
        summary.add(line("agent-a killed after 226")
                + line(
                        "%s re-sent by it (credit %s), back after %.1f s",
                        ByteSize.human(Math.max(0, again - lostWithBroker)), credit(), agentRecovered));
    }

    private void stopNodes() {
        for (Part part : List.of(Part.AGENT_A, Part.AGENT_B, Part.BROKER)) {
            int code = chain.stop(part);
            if (code != 0) {
                throw new DemoFailedException(part.command() + " ended with " + code + " after SIGTERM");
            }
        }
        meter.say("all three stopped in order after SIGTERM");
    }

    private boolean compare(String expected) throws IOException {
        Path delivered = chain.target().resolve(NAME);
        String found = Files.exists(delivered) ? SampleFile.sha256(delivered) : "(nothing there)";
        boolean equal = found.equals(expected);
        out.println();
        out.println("  sent       " + expected);
        out.println("  delivered  " + found);
        out.println();
        summary.forEach(line -> out.println("  " + line));
        out.println();
        out.println(equal ? "Equal. Every byte arrived." : "NOT EQUAL.");
        return equal;
    }

    private void awaitUpload(PacedUpload upload, double part, BooleanSupplier also) throws InterruptedException {
        meter.await(String.format(Locale.ROOT, "%.0f %% of the upload", 100 * part), LIMIT, () -> {
            if (upload.reply().isCompletedExceptionally()) {
                upload.reply().join();
            }
            return upload.sentBytes() >= share(part) && also.getAsBoolean();
        });
    }

    private long share(double part) {
        return (long) (part * sizeBytes);
    }

    private void requireUnfinished(long durable) {
        if (durable <= 0 || durable >= sizeBytes) {
            throw new DemoFailedException("the kill came at the wrong time, so that it would prove nothing");
        }
    }

    private String credit() {
        return ByteSize.human(meter.downlink()
                .or(() -> meter.uplink())
                .map(HopStatus::creditBytes)
                .orElse(0L));
    }

    private static long resent(@org.jspecify.annotations.Nullable HopStatus hop) {
        return hop == null ? 0 : hop.resentBytes();
    }

    private static String line(String format, Object... values) {
        String text = String.format(Locale.ROOT, format, values);
        return String.format(Locale.ROOT, "%-26s", text);
    }
}
