package io.hawser.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.it.harness.CommandRun;
import io.hawser.it.harness.Curl;
import io.hawser.it.harness.LoopDisk;
import io.hawser.ops.observe.HopStatus;
import io.hawser.release.process.ProcessChain;
import io.hawser.release.process.ProcessChain.Part;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Real file systems that are full: who stops taking what, that acks, receipts and deletes still work, and that everything goes on
 * by itself within {@link #SPACE_NOTICED} of space returning.
 */
@Tag("full")
class DiskFullIT extends Scenario {
    private static final String UPLINK = HopStatus.PUBLISHER_TO_BROKER;
    private static final Duration SPACE_NOTICED = Duration.ofSeconds(5);

    private final List<LoopDisk> disks = new ArrayList<>();

    private LoopDisk disk(String name, Path mountPoint, long sizeBytes) throws Exception {
        LoopDisk disk = LoopDisk.mount(directory.resolve(name + ".img"), mountPoint, sizeBytes);
        disks.add(disk);
        return disk;
    }

    @AfterEach
    void unmount() throws Exception {
        chain.close();
        for (LoopDisk disk : disks) {
            disk.unmount();
        }
    }

    /** What agent-a says of a transfer. */
    private String said(String name) throws Exception {
        String admin = chain.admin(Part.AGENT_A).orElseThrow().toString();
        return CommandRun.of("status", name, "--admin", admin).succeeded().out();
    }

    private void awaitDeliveredSoon(Path source, String path, Part full) throws IOException {
        long freed = System.nanoTime();
        awaitDelivered(source, path);
        wasSoon(full, freed);
    }

    /** Says how long it took, for the figures in docs/explanation/reliability.md. */
    private static void wasSoon(Part full, long freedNanos) {
        Duration taken = Duration.ofNanos(System.nanoTime() - freedNanos);
        System.out.println(
                "DiskFullIT: delivered " + taken.toMillis() + " ms after space had returned at " + full.command());
        assertThat(taken).isLessThan(SPACE_NOTICED);
    }

    @Test
    void aFullDiskOfTheBrokerStopsUploadsAndNothingElse() throws Exception {
        LoopDisk disk = disk("broker", chain.data(Part.BROKER), 128 * MIB);
        chain.with(Part.BROKER, "--head-room", "24MiB").start(Part.BROKER);
        chain.start(Part.AGENT_A);
        Path first = sample("first", 5 * MIB, 1);
        upload(first, "first");
        awaitHop(Part.AGENT_A, "first", UPLINK, hop -> hop.state().equals("committed"));
        disk.fillTo(8 * MIB);

        Path second = sample("second", 6 * MIB, 2);
        upload(second, "second");
        awaitHop(Part.AGENT_A, "second", UPLINK, hop -> hop.state().equals("refused"));
        assertThat(said("second")).contains("held back: NO_SPACE", "kept back as head-room");

        chain.start(Part.AGENT_B); // a subscription, acks and receipts are records too
        awaitDelivered(first, "first");
        await("the receipt").until(() -> receipts("first", "delivered") == 1);
        assertThat(visible(chain.target())).containsExactly("first");

        disk.empty();
        awaitDeliveredSoon(second, "second", Part.BROKER);
    }

    @Test
    void aFullDiskOfTheSpoolRefusesUploadsAndKeepsWhatItTook() throws Exception {
        LoopDisk disk = disk("spool", chain.data(Part.AGENT_A), 256 * MIB);
        chain.start(Part.BROKER);
        chain.start(Part.AGENT_A);
        chain.kill(Part.BROKER);
        Path kept = sample("kept", 5 * MIB, 1);
        upload(kept, "kept");
        disk.fillTo(120 * MIB); // of which 128 MiB are head-room
        Path second = sample("second", 5 * MIB, 2);
        await("news of the full disk").until(() -> refused(second).contains("452 ALLO: No space left on device"));

        chain.start(Part.BROKER);
        chain.start(Part.AGENT_B);
        awaitDelivered(kept, "kept");
        await("the receipt").until(() -> receipts("kept", "delivered") == 1);

        disk.empty();
        long freed = System.nanoTime();
        await("an upload").until(() -> refused(second).isEmpty());
        awaitDelivered(second, "second");
        wasSoon(Part.AGENT_A, freed);
    }

    /** What curl complained about, with an ALLO in front of the upload; an empty string if it worked. */
    private String refused(Path source) throws Exception {
        String name = String.valueOf(source.getFileName());
        try (Curl curl = Curl.upload(chain.ftp(), source, name, "-v", "-Q", "ALLO " + Files.size(source))) {
            return curl.await(LIMIT) == 0 ? "" : curl.complaints();
        }
    }

    @Test
    void aFullDiskOfTheFarEdgeHoldsFilesBackAndStillDeletes() throws Exception {
        LoopDisk disk = disk("target", chain.target(), 160 * MIB);
        chain.startAll();
        Path first = sample("first", 5 * MIB, 1);
        upload(first, "first");
        awaitDelivered(first, "first");
        disk.fillTo(60 * MIB); // of which 64 MiB are kept back

        Path second = sample("second", 6 * MIB, 2);
        upload(second, "second");
        String downlink = HopStatus.toSubscription(ProcessChain.SUBSCRIPTION);
        awaitHop(Part.BROKER, "second", downlink, hop -> hop.reason().contains("NO_SPACE"));
        upload(sample("third", 10, 3), "third", "-Q", "-DELE /first");
        await("the deletion").until(() -> !Files.exists(delivered("first")));

        disk.empty();
        awaitDeliveredSoon(second, "second", Part.AGENT_B);
    }

    @Test
    void twoUploadsOfUnknownSizeThatFillTheFarEdgeTogetherArriveOneAfterTheOther() throws Exception {
        LoopDisk disk = disk("target", chain.target(), 160 * MIB); // of which 64 MiB are kept back
        chain.startAll();
        Path first = sample("first", 56 * MIB, 1);
        Path second = sample("second", 56 * MIB, 2);
        String downlink = HopStatus.toSubscription(ProcessChain.SUBSCRIPTION);
        try (Curl one = Curl.uploadPart(chain.ftp(), first, "first", 40 * MIB)) {
            awaitHop(
                    Part.BROKER,
                    "first",
                    downlink,
                    hop -> hop.bytes().durableBytes() >= 32 * MIB); // it is the elder one
            try (Curl two = Curl.uploadPart(chain.ftp(), second, "second", 40 * MIB)) {
                awaitHop(Part.BROKER, "second", downlink, hop -> hop.bytes().durableBytes() >= 32 * MIB);
                one.resume();
                two.resume();
                assertThat(one.await(LIMIT)).isZero();
                assertThat(two.await(LIMIT)).isZero();
            }
        }

        awaitDelivered(first, "first");
        Files.delete(delivered("first")); // its consumer takes it away
        awaitDelivered(second, "second");
        await("the receipts").until(() -> receipts("first", "delivered") + receipts("second", "delivered") == 2);
        assertThat(disk.freeBytes()).isPositive();
    }
}
