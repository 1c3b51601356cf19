package io.hawser.release.demo;

import io.hawser.ops.observe.HopStatus;
import io.hawser.release.process.PacedUpload;
import io.hawser.release.process.ProcessChain;
import io.hawser.release.process.ProcessChain.Part;
import io.hawser.release.process.SampleFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The story: an upload during which agent-b and the broker are killed, after which agent-a is killed while bytes are left
 * to send; then everything is started again and the file arrives.
 *
 * <p>Thread: main only.
 */
final class Demo extends DemoScenario<ChainWatch> {
    private final ProcessChain chain;

    Demo(ProcessChain chain, Terms terms) {
        super(terms, new ChainWatch(chain, NAME, terms.out()));
        this.chain = chain;
    }

    /** Returns whether the same bytes are at both ends. */
    @Override
    boolean run() throws IOException, InterruptedException {
        String expected = makeSource();
        startNodes();
        PacedUpload upload = beginUpload(chain.ftp());
        killAgentB(upload);
        long sentBeforeBrokerDied = killBroker(upload);
        upload.ceiling(Long.MAX_VALUE);
        awaitReply(upload);
        watch.say("the client is done and gone; the broker is still dead");
        killAgentA();
        recover(sentBeforeBrokerDied);
        stopNodes();
        return compare(expected);
    }

    private void startNodes() throws IOException {
        for (Part part : List.of(Part.BROKER, Part.AGENT_A, Part.AGENT_B)) {
            long began = System.nanoTime();
            long pid = chain.start(part).pid();
            watch.say("%s runs, pid %d, after %.1f s", part.command(), pid, DemoWatch.secondsSince(began));
        }
    }

    private void killAgentB(PacedUpload upload) throws IOException, InterruptedException {
        awaitUpload(upload, KILL_AGENT_B_AT, () -> watch.agentBBytes() > share(KILL_AGENT_B_AT / 2));
        long before = watch.agentBBytes();
        long resentBefore = resent(watch.downlink().orElse(null));
        chain.kill(Part.AGENT_B);
        watch.say(
                "KILL -9 agent-b, while it had %s of %s durable (unfinished)", human(before), human(terms.sizeBytes()));
        requireUnfinished(before);
        // agent-b may have had all that was sent so far: the client goes on, or there would be nothing new for it to
        // take.
        upload.ceiling(share(KILL_BROKER_AT + PAUSE_AFTER));
        long dead = System.nanoTime();
        watch.await("a second without agent-b", LIMIT, () -> DemoWatch.secondsSince(dead) > 1.0);
        long began = System.nanoTime();
        chain.start(Part.AGENT_B);
        double ready = DemoWatch.secondsSince(began);
        watch.await("agent-b goes on", LIMIT, () -> watch.agentBBytes() > before);
        double recovered = DemoWatch.secondsSince(began);
        watch.say("agent-b is back: ready after %.1f s, took new bytes after %.1f s", ready, recovered);
        // What was in flight at the crash is sent again at once; let it catch up before it is counted.
        watch.await(
                "agent-b catches up", LIMIT, () -> watch.brokerBytes() - watch.agentBBytes() < terms.sizeBytes() / 16);
        long again = resent(watch.downlink().orElse(null)) - resentBefore;
        summary.add(line("agent-b killed at %.0f %%", 100 * KILL_AGENT_B_AT)
                + line("%s re-sent to it (credit %s), back after %.1f s", human(again), credit(), recovered));
    }

    /** Returns how many bytes agent-a had sent to the broker when the broker died. */
    private long killBroker(PacedUpload upload) throws InterruptedException {
        awaitUpload(upload, KILL_BROKER_AT, () -> watch.brokerBytes() > terms.sizeBytes() / 2);
        chain.kill(Part.BROKER);
        watch.poll();
        long durable = watch.brokerBytes();
        watch.say(
                "KILL -9 broker, while it had %s of %s durable (unfinished); it stays down",
                human(durable), human(terms.sizeBytes()));
        requireUnfinished(durable);
        return watch.uplink().map(hop -> hop.bytes().sentBytes()).orElse(0L);
    }

    private void killAgentA() throws InterruptedException {
        watch.poll();
        long left = terms.sizeBytes() - watch.brokerBytes();
        chain.kill(Part.AGENT_A);
        watch.say(
                "KILL -9 agent-a, with %s left to send (%d bytes of %d are not at the broker)",
                human(left), left, terms.sizeBytes());
        if (left <= 0) {
            throw new DemoFailedException("nothing was left to send, so that this kill would prove nothing");
        }
    }

    private void recover(long sentBeforeBrokerDied) throws IOException, InterruptedException {
        long began = System.nanoTime();
        chain.start(Part.BROKER);
        double brokerReady = DemoWatch.secondsSince(began);
        watch.poll();
        long durable = watch.brokerBytes();
        watch.say("broker is back after %.1f s, with %s durable", brokerReady, human(durable));
        long agentBegan = System.nanoTime();
        chain.start(Part.AGENT_A);
        double agentReady = DemoWatch.secondsSince(agentBegan);
        watch.await("agent-a goes on", LIMIT, () -> watch.brokerBytes() > durable);
        double agentRecovered = DemoWatch.secondsSince(agentBegan);
        watch.say(
                "agent-a is back: ready after %.1f s, new bytes at the broker after %.1f s",
                agentReady, agentRecovered);
        watch.await("delivery", LIMIT, () -> watch.delivered());
        watch.printProgress();
        watch.say("delivered, %.1f s after the broker's restart began", DemoWatch.secondsSince(began));
        long sentAfter = watch.uplink().map(hop -> hop.bytes().sentBytes()).orElse(0L);
        long lostWithBroker = Math.max(0, sentBeforeBrokerDied - durable);
        long again = Math.max(0, sentBeforeBrokerDied + sentAfter - terms.sizeBytes());
        summary.add(line("broker killed at %.0f %%", 100 * KILL_BROKER_AT)
                + line(
                        "%s re-sent to it (credit %s), back after %.1f s",
                        human(Math.min(lostWithBroker, again)), credit(), brokerReady));
        summary.add(line("agent-a killed after 226")
                + line(
                        "%s re-sent by it (credit %s), back after %.1f s",
                        human(Math.max(0, again - lostWithBroker)), credit(), agentRecovered));
    }

    private void stopNodes() {
        for (Part part : List.of(Part.AGENT_A, Part.AGENT_B, Part.BROKER)) {
            requireStopped(part.command(), chain.stop(part));
        }
        watch.say("all three stopped in order after SIGTERM");
    }

    private boolean compare(String expected) throws IOException {
        Path delivered = chain.target().resolve(NAME);
        String found = Files.exists(delivered) ? SampleFile.sha256(delivered) : "(nothing there)";
        boolean equal = found.equals(expected);
        printEnd(expected, found, equal ? "Equal. Every byte arrived." : "NOT EQUAL.");
        return equal;
    }

    private String credit() {
        return human(watch.downlink()
                .or(() -> watch.uplink())
                .map(hop -> hop.bytes().creditBytes())
                .orElse(0L));
    }

    private static long resent(@org.jspecify.annotations.Nullable HopStatus hop) {
        return hop == null ? 0 : hop.bytes().resentBytes();
    }

    private static String line(String format, Object... values) {
        return column(26, format, values);
    }
}
