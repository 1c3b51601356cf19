package io.hawser.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.it.harness.Curl;
import io.hawser.ops.observe.HopStatus;
import io.hawser.release.process.ProcessChain.Part;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** H2 is an index: whatever happens to its file, the log has it all. */
class IndexLossIT extends Scenario {
    private static final long SIZE = 24 * MIB;

    private enum Damage {
        DELETED,
        TRUNCATED,
        ZEROED,
        GARBAGE
    }

    @Test
    void aDamagedIndexChangesNothing() throws Exception {
        chain.startAll();
        for (Damage damage : Damage.values()) {
            loseIndex(damage);
        }
        assertThat(visible(chain.target())).as("nothing is delivered twice").hasSize(2 * Damage.values().length);
    }

    /** One file is done, one waits for its consumer, one is on its way to the broker. */
    private void loseIndex(Damage damage) throws Exception {
        Path done = sample("done-" + damage, 3 * MIB, 1);
        upload(done, "done-" + damage);
        awaitDelivered(done, "done-" + damage);
        await("the receipt").until(() -> receipts("done-" + damage, "delivered") == 1);
        chain.kill(Part.AGENT_B);
        Path waiting = sample("waiting-" + damage, 5 * MIB, 2);
        upload(waiting, "waiting-" + damage);
        Path source = sample("file-" + damage, SIZE, 3);
        try (Curl curl = Curl.uploadPart(chain.ftp(), source, "file-" + damage, SIZE / 2)) {
            awaitHop(
                    Part.BROKER,
                    "file-" + damage,
                    HopStatus.PUBLISHER_TO_BROKER,
                    hop -> hop.bytes().durableBytes() > SIZE / 4);
            assertThat(chain.stop(Part.BROKER)).isZero();
            damageIndex(damage);
            chain.start(Part.BROKER);
            curl.resume();
            assertThat(curl.await(LIMIT)).as(() -> complaints(curl)).isZero();
        }
        Files.delete(delivered("done-" + damage));
        chain.start(Part.AGENT_B);
        awaitDelivered(waiting, "waiting-" + damage);
        awaitDelivered(source, "file-" + damage);
    }

    private void damageIndex(Damage damage) throws IOException {
        List<Path> files;
        try (Stream<Path> paths = Files.walk(chain.data(Part.BROKER))) {
            files = paths.filter(path -> path.toString().endsWith(".mv.db")).toList();
        }
        assertThat(files).isNotEmpty();
        for (Path file : files) {
            long size = Files.size(file);
            if (damage == Damage.DELETED) {
                Files.delete(file);
                continue;
            }
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                switch (damage) {
                    case TRUNCATED -> channel.truncate(size / 2);
                    case ZEROED -> channel.write(ByteBuffer.allocate((int) size), 0);
                    default -> {
                        byte[] garbage = new byte[(int) size];
                        new java.util.Random(1).nextBytes(garbage);
                        channel.write(ByteBuffer.wrap(garbage), 0);
                    }
                }
            }
        }
    }
}
