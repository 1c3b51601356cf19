package io.hawser.agenta.ftp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.agenta.testkit.BlockStream;
import io.hawser.agenta.testkit.FtpFixture;
import io.hawser.agenta.testkit.OnFtpServer;
import io.hawser.agenta.testkit.RandomBytes;
import io.hawser.agenta.testkit.RawFtp;
import io.hawser.agenta.testkit.SpoolRig;
import io.hawser.store.spool.SpoolPhase;
import io.hawser.store.spool.TransferSnapshot;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** More uploads than there are buffers stand still: they hold nobody up, and lose nothing. */
class StandingUploadsTest extends OnFtpServer {
    private static final int BUFFERS = 4;
    private static final int CROWD = BUFFERS + 2;
    /** A fragment and the beginning of the next. */
    private static final int BEGUN = FtpFixture.FRAGMENT_BYTES + 4465;

    private final byte[] bytes = RandomBytes.of(200_000);
    private final List<Standing> crowd = new ArrayList<>();

    private record Standing(RawFtp client, Socket data, String name) {}

    private void start(String transport) throws Exception {
        ftp = transport.equals("nio")
                ? FtpFixture.onNio(BUFFERS, config -> config)
                : FtpFixture.onEpoll(BUFFERS, config -> config);
    }

    @AfterEach
    void end() throws Exception {
        for (Standing one : crowd) {
            one.data.close();
            one.client.close();
        }
    }

    /** Begins one upload more, which has sent {@code length} bytes and stands still. */
    private Standing begin(String type, int length) throws Exception {
        RawFtp client = RawFtp.login(ftp.port);
        client.ok("TYPE " + type);
        Socket data = client.passive();
        String name = "standing-" + crowd.size();
        client.expect("STOR /t/" + name, 150);
        Standing one = new Standing(client, data, name);
        crowd.add(one);
        data.getOutputStream().write(bytes, 0, length);
        return one;
    }

    private void crowdStands(int length) throws Exception {
        for (int i = 0; i < CROWD; i++) {
            begin("I", length);
        }
        for (Standing one : crowd) {
            one.client.awaitReceived(length);
        }
    }

    private void anotherUploadPasses() throws Exception {
        Standing other = begin("I", bytes.length);
        other.data.close();
        other.client.expect(226);
        assertThat(ftp.spool.content("t", other.name)).isEqualTo(bytes);
    }

    private void crowdGoesOn(int from) throws Exception {
        List<Standing> all = crowd.subList(0, CROWD);
        for (Standing one : all) {
            one.data.getOutputStream().write(bytes, from, bytes.length - from);
            one.data.close();
        }
        for (Standing one : all) {
            one.client.expect(226);
            assertThat(ftp.spool.content("t", one.name)).isEqualTo(bytes);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void uploadsThatStandStillHoldUpNobodyAndEndWhole(String transport) throws Exception {
        start(transport);
        crowdStands(BEGUN);

        anotherUploadPasses();

        crowdGoesOn(BEGUN);
    }

    @Test
    void soDoConnectionsOverWhichNothingCame() throws Exception {
        start("epoll");
        crowdStands(0);

        assertThat(ftp.spool.disk.list(SpoolRig.DIRECTORY.resolve("data"))).isEmpty();
        anotherUploadPasses();

        crowdGoesOn(0);
    }

    @Test
    void uploadsThatWereLeftAndReturnAndStandStillHoldUpNobody() throws Exception {
        start("epoll");
        crowdStands(BEGUN);
        for (Standing one : crowd) {
            one.client.abandon(one.data);
        }
        await().untilAsserted(() -> assertThat(ftp.spool.all())
                .allMatch(state -> state.phase() == SpoolPhase.INCOMPLETE)
                .extracting(TransferSnapshot::durableBytes)
                .containsOnly((long) BEGUN));
        crowd.clear();
        for (int i = 0; i < CROWD; i++) {
            RawFtp client = RawFtp.login(ftp.port);
            Socket data = client.passive();
            client.expect("REST " + BEGUN, 350);
            client.expect("STOR /t/standing-" + i, 150);
            crowd.add(new Standing(client, data, "standing-" + i));
        }

        anotherUploadPasses();

        crowdGoesOn(BEGUN);
    }

    /** What is put aside is all that there is of the fragment, and the client's bytes end there. */
    @Test
    void uploadsThatEndWhereTheyStoodAreWhole() throws Exception {
        start("epoll");
        crowdStands(BEGUN);

        for (Standing one : crowd) {
            one.data.close();
        }

        for (Standing one : crowd) {
            one.client.expect(226);
            assertThat(ftp.spool.content("t", one.name)).isEqualTo(Arrays.copyOf(bytes, BEGUN));
        }
    }

    @Test
    void textsThatStandStillInTheMiddleOfALineEndWhole() throws Exception {
        start("epoll");
        byte[] text = "one line\r\nand a lone\r, and more \r\n".repeat(6_000).getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(text, 0, bytes, 0, bytes.length);
        for (int i = 0; i < CROWD; i++) {
            begin("A", BEGUN);
        }
        String expected = new String(bytes, StandardCharsets.US_ASCII).replace("\r\n", "\n");
        assertThat(bytes[BEGUN - 1]).as("what is cut there is not held back").isNotEqualTo((byte) '\r');
        int converted = new String(bytes, 0, BEGUN, StandardCharsets.US_ASCII)
                .replace("\r\n", "\n")
                .length();
        for (Standing one : crowd) {
            one.client.awaitReceived(converted);
        }

        for (Standing one : crowd) {
            one.data.getOutputStream().write(bytes, BEGUN, bytes.length - BEGUN);
            one.data.close();
        }
        for (Standing one : crowd) {
            one.client.expect(226);
            assertThat(ftp.spool.content("t", one.name)).asString().isEqualTo(expected);
        }
    }

    /** Each holds as many buffers as one upload may, and no byte comes that would complete one. */
    @ParameterizedTest
    @ValueSource(strings = {"epoll", "nio"})
    void blocksThatStandStillHoldUpNobody(String transport) throws Exception {
        start(transport);
        List<BlockStream> streams = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            RawFtp client = RawFtp.login(ftp.port);
            client.ok("MODE E");
            Socket data = client.passive();
            BlockStream stream = BlockStream.over(data);
            streams.add(stream);
            client.expect("STOR /t/blocks-" + i, 150);
            crowd.add(new Standing(client, data, "blocks-" + i));
            for (int at = 0; at + 1000 < bytes.length; at += FtpFixture.FRAGMENT_BYTES) {
                stream.block(0, bytes, at, at + 1000);
            }
            stream.raw(BlockStream.header(0, bytes.length, 0)).raw(Arrays.copyOf(bytes, 500));
        }

        anotherUploadPasses();

        for (int i = 0; i < streams.size(); i++) {
            streams.get(i)
                    .raw(Arrays.copyOfRange(bytes, 500, bytes.length))
                    .flags(BlockStream.EOF | BlockStream.EOD, 1);
            assertThat(crowd.get(i).client.end()).startsWith("226");
            assertThat(ftp.spool.content("t", "blocks-" + i)).isEqualTo(bytes);
        }
    }
}
