package io.hawser.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.it.harness.LoopDisk;
import io.hawser.ops.cli.ExitCode;
import io.hawser.ptcp.testkit.TestTimes;
import io.hawser.release.process.ProcessChain;
import io.hawser.release.process.ProcessChain.Part;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a node's disk holds back: each node that holds the transfer shows why, and it moves when the operator has mended the cause. */
@Tag("full")
@Invariant(InvariantName.NO_SILENT_STOP)
class StuckStorageIT extends StuckScenario {
    private static final int PIECE_BYTES = 64;

    @Test
    void damagedBytesInTheSpoolAreReportedUntilTheyAreUploadedAgainOrDeleted() throws Exception {
        chain.startAll();
        chain.kill(Part.BROKER);
        Path again = sample("again", 3 * MIB, 1);
        Path unwanted = sample("unwanted", 3 * MIB, 2);
        Path whole = sample("whole", 3 * MIB, 3);
        upload(again, "again");
        upload(unwanted, "unwanted");
        upload(whole, "whole");
        chain.kill(Part.AGENT_A);
        flipInSpool(again, MIB + 12_345);
        flipInSpool(unwanted, MIB + 12_345);
        chain.start(Part.BROKER);
        chain.start(Part.AGENT_A);

        awaitDelivered(whole, "whole");
        String damaged = "Its bytes in the spool are damaged";
        shows(Part.AGENT_A, "again", UPLINK, damaged);
        shows(Part.AGENT_A, "unwanted", UPLINK, damaged);
        warns(Part.AGENT_A, "spool.damaged", "2 accepted transfers", "'hawser status'", "Upload them again or delete");
        counts(Part.AGENT_A, "hawser_spool_damaged_transfers", 2);

        upload(again, "again");
        awaitDelivered(again, "again");
        counts(Part.AGENT_A, "hawser_spool_damaged_transfers", 1);
        upload(sample("other", 10, 4), "other", "-Q", "-DELE /unwanted");
        counts(Part.AGENT_A, "hawser_spool_damaged_transfers", 0);
        warns(Part.AGENT_A, "failed", "1 accepted transfer was not delivered"); // DELE has cancelled the other
        hasNoWarning(Part.BROKER);
        await("the receipts").until(() -> receipts("again", "delivered") == 1);
        assertThat(visible(chain.target())).containsExactly("again", "other", "whole");
    }

    /** Flips a bit of the content of {@code source} in agent-a's spool. */
    private void flipInSpool(Path source, long position) throws IOException {
        byte[] piece = new byte[PIECE_BYTES];
        try (FileChannel channel = FileChannel.open(source)) {
            channel.read(ByteBuffer.wrap(piece), position);
        }
        List<Path> files;
        try (Stream<Path> paths = Files.walk(chain.data(Part.AGENT_A))) {
            files = paths.filter(Files::isRegularFile).toList();
        }
        for (Path file : files) {
            if (Files.size(file) >= position + PIECE_BYTES && hasAt(file, position, piece)) {
                try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                    channel.write(ByteBuffer.wrap(new byte[] {(byte) (piece[0] ^ 1)}), position);
                }
                return;
            }
        }
        throw new AssertionError("no file of the spool holds " + source);
    }

    private static boolean hasAt(Path file, long position, byte[] piece) throws IOException {
        ByteBuffer read = ByteBuffer.allocate(PIECE_BYTES);
        try (FileChannel channel = FileChannel.open(file)) {
            channel.read(read, position);
        }
        return read.flip().equals(ByteBuffer.wrap(piece));
    }

    @Test
    void tooLittleRoomAtTheFarEdgeIsReportedUntilThereIsMore() throws Exception {
        LoopDisk disk = LoopDisk.mount(directory.resolve("target.img"), chain.target(), 160 * MIB);
        try {
            disk.fillTo(60 * MIB); // of which 64 MiB are kept as head-room
            chain.startAll();
            Path source = sample("source", 6 * MIB, 1);
            upload(source, "file");

            shows(Part.BROKER, "file", DOWNLINK, "NO_SPACE: ");
            shows(Part.BROKER, "file", DOWNLINK, "bytes free, and");
            shows(Part.AGENT_A, "file", UPLINK, "the final receipt has yet to come from " + ProcessChain.SUBSCRIPTION);
            warns(Part.AGENT_B, "landing.space", "bytes free", "make room, or lower --head-room");
            warns(Part.BROKER, "stalled.subscription", "1 accepted transfer", "NO_SPACE: ", "bytes free");
            counts(Part.BROKER, stalled("subscription"), 1);

            disk.empty();
            awaitDelivered(source, "file");
            for (Part part : Part.values()) {
                hasNoWarning(part);
            }
        } finally {
            chain.end();
            disk.unmount();
        }
    }

    @Test
    void aTargetThatIsNotMountedEndsAgentBAndTheBrokerSaysThatItIsAway() throws Exception {
        Path image = directory.resolve("target.img");
        LoopDisk disk = LoopDisk.mount(image, chain.target(), 160 * MIB);
        try {
            chain.startAll();
        } finally {
            disk.unmount();
        }
        assertThat(chain.node(Part.AGENT_B).awaitExit(TestTimes.LIMIT)).isEqualTo(ExitCode.STORAGE.code());
        assertThat(chain.node(Part.AGENT_B).log()).contains("its file system was unmounted", "Mount it, or restore it");
        chain.kill(Part.AGENT_B);
        Path source = sample("source", 3 * MIB, 1);
        upload(source, "file");
        shows(Part.BROKER, "file", DOWNLINK, NO_CONSUMER);
        warns(Part.BROKER, "stalled.subscription", "1 accepted transfer", NO_CONSUMER, "Start its agent-b");
        counts(Part.BROKER, stalled("subscription"), 1);

        LoopDisk again = LoopDisk.mountAgain(image, chain.target());
        try {
            chain.start(Part.AGENT_B);
            awaitDelivered(source, "file");
            await("the receipt").until(() -> receipts("file", "delivered") == 1);
            hasNoWarning(Part.BROKER);
        } finally {
            chain.end();
            again.unmount();
        }
    }
}
