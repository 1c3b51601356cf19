package io.hawser.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.it.harness.LoopDisk;
import io.hawser.ops.cli.ExitCode;
import io.hawser.ops.observe.HopStatus;
import io.hawser.ptcp.testkit.TestTimes;
import io.hawser.release.process.NodeProcess;
import io.hawser.release.process.ProcessChain;
import io.hawser.release.process.ProcessChain.Part;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Directories that are not there when a node starts, or vanish while it runs; and a disk with too little room. */
@Invariant(InvariantName.NO_SILENT_STOP)
class MissingDirectoryIT extends Scenario {

    /** The last line of a start that is refused. */
    private String refusal() {
        assertThatThrownBy(() -> chain.start(Part.AGENT_B))
                .isInstanceOfSatisfying(NodeProcess.NotReadyException.class, refused -> assertThat(refused.exitCode())
                        .isEqualTo(ExitCode.STORAGE.code()));
        return lastLine(Part.AGENT_B);
    }

    private String lastLine(Part part) {
        try {
            List<String> lines = Files.readAllLines(chain.logFile(part));
            return lines.get(lines.size() - 1);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void agentBDoesNotDeliverBelowItsMountPoint() throws Exception {
        Path mountPoint = chain.target();
        Path image = directory.resolve("disk.img");
        Path first = sample("first", 100_000, 1);
        Path second = sample("second", 100_000, 2);
        LoopDisk disk = LoopDisk.mount(image, mountPoint, 160 * MIB);
        try {
            chain.startAll();
            upload(first, "first");
            awaitDelivered(first, "first");
            assertThat(chain.stop(Part.AGENT_B)).isZero();
        } finally {
            disk.unmount();
        }
        upload(second, "second");

        assertThat(refusal()).contains("is its file system mounted?", "--rebind", mountPoint.toString());
        assertThat(mountPoint).isEmptyDirectory();

        LoopDisk again = LoopDisk.mountAgain(image, mountPoint);
        try {
            chain.start(Part.AGENT_B);
            awaitDelivered(second, "second");
            awaitDelivered(first, "first");
            chain.end();
        } finally {
            again.unmount();
        }
    }

    @Test
    void agentBEndsWhenItsMountVanishesAndContinuesWhenItIsBack() throws Exception {
        Path image = directory.resolve("disk.img");
        Path first = sample("first", 100_000, 1);
        Path big = sample("big", 20 * MIB, 2);
        Path small = sample("small", 1_000, 3);
        LoopDisk disk = LoopDisk.mount(image, chain.target(), 160 * MIB);
        try {
            chain.startAll();
            upload(first, "first");
            awaitDelivered(first, "first");
        } finally {
            disk.unmount();
        }
        upload(big, "big");
        upload(small, "small");

        assertThat(chain.node(Part.AGENT_B).awaitExit(TestTimes.LIMIT)).isEqualTo(ExitCode.STORAGE.code());
        assertThat(lastLine(Part.AGENT_B))
                .contains("is gone while it was in use", "its file system was unmounted", "Mount it");
        assertThat(chain.target()).isEmptyDirectory();

        LoopDisk again = LoopDisk.mountAgain(image, chain.target());
        try {
            chain.start(Part.AGENT_B);
            awaitDelivered(big, "big");
            awaitDelivered(small, "small");
            awaitDelivered(first, "first");
            chain.end();
        } finally {
            again.unmount();
        }
    }

    @Test
    void agentBEndsWhenItsTargetTurnsReadOnlyAndContinuesWhenItIsMended() throws Exception {
        Path image = directory.resolve("disk.img");
        Path first = sample("first", 100_000, 1);
        Path big = sample("big", 20 * MIB, 2);
        Path small = sample("small", 1_000, 3);
        LoopDisk disk = LoopDisk.mount(image, chain.target(), 160 * MIB);
        try {
            chain.startAll();
            upload(first, "first");
            awaitDelivered(first, "first");
            await("its receipt").until(() -> receipts("first", "delivered") == 1);
            disk.turnReadOnly();
            upload(big, "big");
            upload(small, "small");

            assertThat(chain.node(Part.AGENT_B).awaitExit(TestTimes.LIMIT)).isEqualTo(ExitCode.STORAGE.code());
            assertThat(lastLine(Part.AGENT_B)).contains("its disk failed", "Read-only file system", "dmesg");
            assertThat(visible(chain.target())).containsExactly("first");
            assertThat(refusal()).contains("cannot start", "Read-only file system");

            disk.detach();
            disk.attach();
            chain.start(Part.AGENT_B);
            awaitDelivered(big, "big");
            awaitDelivered(small, "small");
            chain.end();
        } finally {
            disk.unmount();
        }
    }

    @Test
    void aTargetThatWasReplacedIsTakenWhenThePersonSaysSo() throws Exception {
        chain.startAll();
        Path first = sample("first", 1_000, 1);
        upload(first, "first");
        awaitDelivered(first, "first");
        assertThat(chain.stop(Part.AGENT_B)).isZero();
        Files.move(chain.target(), directory.resolve("old"));
        assertThat(refusal()).contains("has no landing area");

        chain.with(Part.AGENT_B, "--rebind").start(Part.AGENT_B);
        Path second = sample("second", 1_000, 2);
        upload(second, "second");
        awaitDelivered(second, "second");
        assertThat(chain.stop(Part.AGENT_B)).isZero();

        Files.move(chain.data(Part.AGENT_B), directory.resolve("data"));
        chain.plain(Part.AGENT_B);
        assertThat(refusal()).contains("belongs to the data directory " + chain.data(Part.AGENT_B));
    }

    @ParameterizedTest
    @EnumSource(Part.class)
    void aNodeEndsWhoseDirectoryVanishes(Part part) throws Exception {
        chain.startAll();
        Path first = sample("first", 1_000, 1);
        upload(first, "first");
        awaitDelivered(first, "first");
        Path kept = part == Part.AGENT_B
                ? chain.target().resolve(".hawser-landing-" + ProcessChain.SUBSCRIPTION)
                : chain.data(part);
        Files.move(kept, directory.resolve("elsewhere"));

        assertThat(chain.node(part).awaitExit(TestTimes.LIMIT)).isEqualTo(ExitCode.STORAGE.code());
        assertThat(lastLine(part)).contains(kept.toString(), "is gone while it was in use", "Mount it, or restore it");
    }

    @Test
    void tooLittleRoomIsSaidInTrueWords() throws Exception {
        chain.with(Part.AGENT_B, "--head-room", "1024PiB").startAll();
        Path file = sample("file", 3 * MIB, 1);
        upload(file, "file");
        Path small = sample("small", 1_000, 2);
        upload(small, "small");

        String downlink = HopStatus.toSubscription(ProcessChain.SUBSCRIPTION);
        for (String name : List.of("file", "small")) {
            awaitHop(Part.BROKER, name, downlink, hop -> hop.reason()
                    .contains("bytes free, and 1,152,921,504,606,846,976 are kept back as head-room"));
        }
        assertThat(page(Part.AGENT_B, "/health")).contains("nothing lands: make room, or lower --head-room");

        assertThat(chain.stop(Part.AGENT_B)).isZero();
        chain.plain(Part.AGENT_B).start(Part.AGENT_B);
        awaitDelivered(file, "file");
        awaitDelivered(small, "small");
        assertThat(page(Part.AGENT_B, "/health")).doesNotContain("head-room");
    }
}
