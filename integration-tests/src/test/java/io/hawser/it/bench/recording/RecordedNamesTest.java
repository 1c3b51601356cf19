package io.hawser.it.bench.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.hawser.release.process.ProcessChain.Part;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What paths, frames and threads of a recording belong to. */
class RecordedNamesTest {
    @ParameterizedTest
    @CsvSource({
        "AGENT_A, jdk.FileWrite, /t/agent-a/data/1.data, hawser-disk-1, SPOOL_WRITE",
        "AGENT_A, jdk.FileForce, /t/agent-a/data/1.data, hawser-disk-1, SPOOL_FORCE",
        "AGENT_A, jdk.FileForce, /t/agent-a/journal/0.log, hawser-spool-log, SPOOL_JOURNAL",
        "BROKER, jdk.FileWrite, /t/broker/log/0.log, hawser-log-writer, LOG_WRITE",
        "BROKER, jdk.FileForce, /t/broker/log/0.log, hawser-log-writer, LOG_FORCE",
        "BROKER, jdk.FileWrite, /t/broker/log/spare, hawser-log-writer-spares, LOG_WRITE",
        "BROKER, jdk.FileWrite, /t/broker/log/spare, hawser-other, LOG_AHEAD",
        "BROKER, jdk.FileRead, /t/broker/log/0.log, hawser-disk-2, LOG_READ",
        "AGENT_B, jdk.FileWrite, /t/delivered/.hawser-landing-b/files/1.part, hawser-disk-2, LANDING_WRITE",
        "AGENT_B, jdk.FileRead, /t/delivered/.hawser-landing-b/files/1.part, hawser-disk-2, READ_BACK",
        "AGENT_B, jdk.FileForce, /t/delivered/.hawser-landing-b/journal/0.log, hawser-landing-journal, LANDING_JOURNAL",
        "AGENT_B, jdk.FileForce, /t/delivered, hawser-disk-2, PUBLISH"
    })
    void filesBelongToStages(Part node, String event, String path, String thread, Stage stage) {
        assertThat(StageEvents.file(node, event, path, thread)).contains(stage);
    }

    @Test
    void theIndexIsSeenByItsThreadAndNotByItsFiles() {
        assertThat(StageEvents.file(Part.BROKER, "jdk.FileWrite", "/t/broker/index/h2.mv.db", "hawser-index"))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "io.netty.channel.unix.Socket.recvAddress, SOCKET_READ",
        "io.netty.channel.unix.FileDescriptor.writevAddresses, SOCKET_WRITE",
        "io.netty.channel.epoll.Native.epollWait, WAITING",
        "sun.security.provider.SHA2.implCompress0, SHA_256",
        "java.util.zip.CRC32C.updateDirectByteBuffer, CRC",
        "sun.nio.ch.FileDispatcherImpl.pwrite0, DISK",
        "org.h2.mvstore.MVStore.commit, INDEX",
        "io.hawser.core.hop.HopSender.next, PROTOCOL",
        "io.hawser.broker.relay.Relay.open, PROTOCOL",
        "io.hawser.ptcp.DataChannel.read, PTCP",
        "io.netty.buffer.PooledByteBuf.release, NETTY",
        "io.hawser.store.spool.DiskSpool.write, NODE",
        "java.util.HashMap.get, OTHER"
    })
    void framesBelongToGroups(String frame, FrameGroup group) {
        assertThat(FrameGroup.of(List.of(frame))).isEqualTo(group);
    }

    @Test
    void aStackBelongsToItsFirstFrameThatIsKnown() {
        assertThat(FrameGroup.of(
                        List.of("java.util.HashMap.get", "io.hawser.core.hop.HopSender.next", "io.netty.X.run")))
                .isEqualTo(FrameGroup.PROTOCOL);
    }

    @Test
    void aThreadsLineOfTheKernelIsReadBehindItsName() {
        String line = "12 (a) b (c) S 1 1 1 0 -1 4194368 5 0 0 0 250 31 0 0 20 0 9 0 1 2 3";
        assertThat(ThreadTimes.parse(line)).isEqualTo(new ThreadTimes.Used("a) b (c", 2.5, 0.31));
    }

    @Test
    void timeIsTheKernelsAndTheSamplesDivideIt() {
        ProcessorShares shares = new ProcessorShares();
        shares.ranJava("hawser-net-1", List.of("io.hawser.core.hop.HopSender.next"));
        shares.ranJava("hawser-net-1", List.of("java.util.zip.CRC32C.update"));
        shares.ranNative("hawser-net-1", List.of("io.netty.channel.unix.Socket.recvAddress"));
        shares.ranNative("hawser-net-1", List.of("io.netty.channel.epoll.Native.epollWait"));
        Map<String, Double> seconds = shares.divide(new ThreadTimes(Map.of(
                "1", new ThreadTimes.Used("hawser-net-1", 2, 4),
                "2", new ThreadTimes.Used("C2 CompilerThre", 3, 1),
                "3", new ThreadTimes.Used("hawser-digest-1", 5, 0))));
        assertThat(seconds)
                .containsOnlyKeys(
                        "hop protocol and relay",
                        "CRC32C",
                        "socket: read",
                        "JIT compiler",
                        "digest threads: other Java",
                        "digest threads: other in the kernel");
        assertThat(seconds.get("CRC32C")).isCloseTo(1, within(1e-9));
        assertThat(seconds.get("socket: read")).isCloseTo(4, within(1e-9));
        assertThat(seconds.get("JIT compiler")).isCloseTo(4, within(1e-9));
    }
}
