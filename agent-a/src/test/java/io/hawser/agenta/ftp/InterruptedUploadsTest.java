package io.hawser.agenta.ftp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.agenta.testkit.BlockStream;
import io.hawser.agenta.testkit.FtpFixture;
import io.hawser.agenta.testkit.OnFtpServer;
import io.hawser.agenta.testkit.RandomBytes;
import io.hawser.agenta.testkit.RawFtp;
import io.hawser.agenta.testkit.SpoolRig;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.core.testkit.Program;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Uploads that break off and come again, also after a restart. */
class InterruptedUploadsTest extends OnFtpServer {
    private static final int FRAGMENT_BYTES = FtpFixture.FRAGMENT_BYTES;
    private static final int BUFFERS = 8;

    @TempDir
    Path directory;

    private byte[] bytes = RandomBytes.of(500_000);

    @BeforeEach
    void start() throws Exception {
        ftp = FtpFixture.onEpoll(BUFFERS, config -> config);
    }

    private RawFtp login() throws Exception {
        RawFtp client = RawFtp.login(ftp.port);
        return client;
    }

    private void breakOffAt(int length) throws Exception {
        try (RawFtp client = login()) {
            Socket data = client.begin("STOR /t/f");
            data.getOutputStream().write(bytes, 0, length);
            await().until(() -> ftp.spool.newest().durableBytes() > 0);
            client.abandon(data);
        }
    }

    private long sizeWhenItCanGoOn() throws Exception {
        try (RawFtp client = login()) {
            return await().until(
                            () -> {
                                client.send("SIZE /t/f");
                                return client.reply();
                            },
                            reply -> reply.startsWith("213 "))
                    .substring(4)
                    .transform(Long::parseLong);
        }
    }

    private void goOnFrom(long position) throws Exception {
        try (RawFtp client = login()) {
            Socket data = client.passive();
            client.expect("REST " + position, 350);
            client.expect("STOR /t/f", 150);
            data.getOutputStream().write(bytes, (int) position, bytes.length - (int) position);
            data.close();
            assertThat(client.expect(226)).contains(" spooled.");
            assertThat(client.ok("SIZE /t/f")).isEqualTo("213 " + bytes.length);
        }
    }

    /** All of the {@code length} bytes are durable then. */
    private void abortAt(int length) throws Exception {
        try (RawFtp client = login();
                Socket data = client.begin("STOR /t/f")) {
            data.getOutputStream().write(bytes, 0, length);
            client.awaitReceived(length);
            client.abort();
        }
        assertThat(sizeWhenItCanGoOn()).isEqualTo(length - 1);
    }

    /** Sends blocks from {@code from} to {@code to} and the end of the file; the final reply. */
    private String sendBlocks(RawFtp client, String restart, int from, int to) throws Exception {
        try (BlockStream stream = BlockStream.connect(client.passivePort())) {
            client.expect("REST " + restart, 350);
            client.expect("STOR /t/f", 150);
            stream.blocks(bytes, from, to, FRAGMENT_BYTES).flags(BlockStream.EOF | BlockStream.EOD, 1);
            return client.end();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {FRAGMENT_BYTES, FRAGMENT_BYTES / 2})
    @Invariant(InvariantName.HONEST_ANSWERS)
    void fileThatHasBecomeShorterDoesNotGetItsOldEnd(int moreBytes) throws Exception {
        int durable = 4 * FRAGMENT_BYTES;
        abortAt(durable);
        try (RawFtp client = login()) {
            client.ok("MODE E");
            String shorter = sendBlocks(client, "0-" + FRAGMENT_BYTES, FRAGMENT_BYTES, FRAGMENT_BYTES + moreBytes);
            assertThat(shorter).startsWith("550").contains("differ from those that came before");

            assertThat(sendBlocks(client, "0-" + FRAGMENT_BYTES, FRAGMENT_BYTES, bytes.length))
                    .contains(" spooled.");
            assertThat(client.ok("SIZE /t/f")).isEqualTo("213 " + bytes.length);
        }
    }

    @Test
    void blocksThatAreHereNeedNotComeAgain() throws Exception {
        int durable = 4 * FRAGMENT_BYTES;
        abortAt(durable);
        try (RawFtp client = login()) {
            client.ok("MODE E");
            assertThat(sendBlocks(client, "0-" + durable, durable, durable)).contains(" spooled.");
            assertThat(client.ok("SIZE /t/f")).isEqualTo("213 " + durable);
        }
    }

    @Test
    void sizeOfAFileIsKnownAfterARestart() throws Exception {
        Files.write(directory.resolve("f"), bytes);
        Files.write(directory.resolve("small"), new byte[100]);
        Program.run(directory, "curl", "-sS", "-T", "{f,small}", "ftp://127.0.0.1:" + ftp.port + "/t/in/")
                .succeeded();
        ftp = ftp.restart();

        String facts = Program.run(directory, "curl", "-sSI", "ftp://127.0.0.1:" + ftp.port + "/t/in/{f,small}")
                .succeeded()
                .output();
        assertThat(facts).contains("Content-Length: 500000").contains("Content-Length: 100");
    }

    @Test
    void uploadThatBrokeOffGoesOn() throws Exception {
        breakOffAt(300_000);

        long position = sizeWhenItCanGoOn();
        goOnFrom(position);

        assertThat(position).isPositive();
    }

    @Test
    void uploadThatBrokeOffGoesOnAfterARestart() throws Exception {
        breakOffAt(300_000);
        sizeWhenItCanGoOn();
        ftp = ftp.crash();

        goOnFrom(sizeWhenItCanGoOn());
    }

    @Test
    void uploadGoesOnBeforeWhereItBrokeOff() throws Exception {
        breakOffAt(300_000);
        long position = sizeWhenItCanGoOn();

        goOnFrom(position / 3);
    }

    @Test
    void bytesThatDifferAreRefusedAndTheUploadCanStillGoOn() throws Exception {
        breakOffAt(300_000);
        long position = sizeWhenItCanGoOn();
        try (RawFtp client = login()) {
            Socket data = client.passive();
            client.expect("REST 1000", 350);
            client.expect("STOR /t/f", 150);
            data.getOutputStream().write(new byte[FRAGMENT_BYTES - 1000]);
            client.expect(550);
            data.close();
        }

        goOnFrom(position);
    }

    /** The same when all of it has come. */
    private void breakOffBehind(int length) throws Exception {
        try (RawFtp client = login()) {
            Socket data = client.begin("STOR /t/f");
            data.getOutputStream().write(bytes, 0, length);
            client.awaitReceived(length);
            client.abandon(data);
        }
        assertThat(sizeWhenItCanGoOn()).isEqualTo(length - 1);
    }

    /** All bytes are here but the evidence that they are all: told its own size a client would send nothing, and have success. */
    @ParameterizedTest
    @ValueSource(ints = {2, FRAGMENT_BYTES, FRAGMENT_BYTES + 1, 300_000})
    @Invariant(InvariantName.WHOLE_OR_NOTHING)
    void curlThatSentAllAndReturnsSendsTheEndAgain(int length) throws Exception {
        bytes = Arrays.copyOf(bytes, length);
        Files.write(directory.resolve("f"), bytes);
        breakOffBehind(length);
        Program.run(directory, "curl", "-sS", "-C", "-", "-T", "f", "ftp://127.0.0.1:" + ftp.port + "/t/")
                .succeeded();
        assertArrivedWhole();
    }

    @ParameterizedTest
    @ValueSource(ints = {2, FRAGMENT_BYTES, FRAGMENT_BYTES + 1, 300_000})
    @Invariant(InvariantName.WHOLE_OR_NOTHING)
    void soDoesLftp(int length) throws Exception {
        bytes = Arrays.copyOf(bytes, length);
        Files.write(directory.resolve("f"), bytes);
        breakOffBehind(length);
        Program.run(directory, "lftp", "-c", "open ftp://127.0.0.1:" + ftp.port + "/t/; put -c f")
                .succeeded();
        assertArrivedWhole();
    }

    @ParameterizedTest
    @ValueSource(ints = {2, FRAGMENT_BYTES, FRAGMENT_BYTES + 1, 2 * FRAGMENT_BYTES - 1, 300_000})
    void appendingAtTheSizeThatWasToldGivesTheFile(int length) throws Exception {
        breakOffBehind(length);
        try (RawFtp client = login()) {
            int told = Integer.parseInt(client.ok("SIZE /t/f").substring(4));
            Socket data = client.begin("APPE /t/f");
            data.getOutputStream().write(bytes, told, bytes.length - told);
            data.close();
            client.expect(226);
        }
        assertArrivedWhole();
    }

    @ParameterizedTest
    @ValueSource(ints = {2, FRAGMENT_BYTES, FRAGMENT_BYTES + 1, 300_000})
    void uploadGoesOnAlsoAtItsTrueEnd(int length) throws Exception {
        breakOffBehind(length);

        goOnFrom(length);

        assertArrivedWhole();
    }

    private void assertArrivedWhole() {
        assertThat(ftp.spool.content("t", "f")).isEqualTo(bytes);
    }

    /** The client has closed its data connection before the difference is found. */
    @ParameterizedTest
    @ValueSource(ints = {1000, FRAGMENT_BYTES, 2 * FRAGMENT_BYTES + 5, 290_000})
    @Invariant(InvariantName.NO_CHIMERA)
    void anotherVersionIsNotAddedToTheOneThatBrokeOff(int position) throws Exception {
        breakOffBehind(300_000);
        byte[] other = bytes.clone();
        other[Math.max(position, 3 * FRAGMENT_BYTES)] ^= 1;

        assertThat(replyTo(position, other, other.length)).startsWith("550 ").contains("from its beginning");
        assertThat(sizeWhenItCanGoOn()).isEqualTo(299_999);

        assertThat(replyTo(0, other, other.length)).startsWith("226 ");
        assertThat(ftp.spool.content("t", "f")).isEqualTo(other);
    }

    @ParameterizedTest
    @ValueSource(ints = {1000, 2 * FRAGMENT_BYTES, 2 * FRAGMENT_BYTES + 5, 299_000})
    @Invariant(InvariantName.NO_CHIMERA)
    void aVersionThatIsShorterIsNotAddedEither(int end) throws Exception {
        breakOffBehind(300_000);

        assertThat(replyTo(1000, bytes, end)).startsWith("550 ").contains("from its beginning");

        assertThat(sizeWhenItCanGoOn()).isEqualTo(299_999);
        goOnFrom(300_000);
    }

    @ParameterizedTest
    @ValueSource(ints = {2 * FRAGMENT_BYTES, 290_000})
    @Invariant({InvariantName.NO_CHIMERA, InvariantName.IMMUTABLE})
    void sameFileFromItsBeginningContinuesTheTransfer(int length) throws Exception {
        breakOffBehind(length);
        Set<String> before = contentFiles();

        assertThat(replyTo(0, bytes, 70_000)).startsWith("226 "); // shorter: another version
        assertThat(contentFiles()).isNotEqualTo(before);
        assertThat(ftp.spool.content("t", "f")).isEqualTo(Arrays.copyOf(bytes, 70_000));

        breakOffBehind(length);
        before = contentFiles();
        try (RawFtp client = login()) { // while it is compared, the client goes
            Socket data = client.begin("STOR /t/f");
            data.getOutputStream().write(bytes, 0, 100_000);
            client.abandon(data);
        }
        assertThat(sizeWhenItCanGoOn()).isEqualTo(length - 1);
        assertThat(replyTo(0, bytes, bytes.length)).startsWith("226 ");
        assertThat(contentFiles()).isEqualTo(before);
        assertArrivedWhole();
    }

    @ParameterizedTest
    @ValueSource(strings = {"STOR", "ESTO A 0"})
    @Invariant({InvariantName.NO_CHIMERA, InvariantName.IMMUTABLE})
    void sameBlocksFromTheBeginningContinueTheTransfer(String command) throws Exception {
        abortAt(4 * FRAGMENT_BYTES);
        Set<String> before = contentFiles();
        int middle = 5 * FRAGMENT_BYTES + 9;

        assertThat(sendBlocksFromBothEnds(command, bytes, middle)).startsWith("226 ");

        assertThat(contentFiles()).isEqualTo(before);
        assertArrivedWhole();
    }

    @Test
    @Invariant(InvariantName.NO_CHIMERA)
    void blocksOfAnotherVersionAreNewTransfer() throws Exception {
        abortAt(4 * FRAGMENT_BYTES);
        byte[] other = bytes.clone();
        other[2 * FRAGMENT_BYTES] ^= 1;

        assertThat(sendBlocksFromBothEnds("STOR", other, 5 * FRAGMENT_BYTES + 9))
                .startsWith("226 ");

        assertThat(ftp.spool.content("t", "f")).isEqualTo(other);
    }

    /** What is after {@code middle} comes first. */
    private String sendBlocksFromBothEnds(String command, byte[] content, int middle) throws Exception {
        try (RawFtp client = login()) {
            client.ok("MODE E");
            try (BlockStream stream = BlockStream.connect(client.passivePort())) {
                client.expect(command + " /t/f", 150);
                stream.blocks(content, middle, content.length, FRAGMENT_BYTES)
                        .blocks(content, 0, middle, 40_000)
                        .flags(BlockStream.EOF | BlockStream.EOD, 1);
                return client.end();
            }
        }
    }

    /** The spool's, named by transfer. */
    private Set<String> contentFiles() throws Exception {
        assertThat(ftp.spool.all()).isNotEmpty(); // what is no longer needed is gone
        return ftp.spool.disk.list(SpoolRig.DIRECTORY.resolve("data")).stream()
                .filter(name -> name.endsWith(".data"))
                .collect(Collectors.toSet());
    }

    /** Sends {@code content} from {@code position} to {@code end} and closes at once. */
    private String replyTo(int position, byte[] content, int end) throws Exception {
        try (RawFtp client = login()) {
            Socket data = client.passive();
            client.expect("REST " + position, 350);
            client.expect("STOR /t/f", 150);
            try {
                data.getOutputStream().write(content, position, end - position);
            } catch (IOException e) {
                assertThat(e).as("it was refused before all was sent").isInstanceOf(SocketException.class);
            }
            data.close();
            return client.reply();
        }
    }

    @Test
    void runningUploadIsBrokenOffByAnOrderlyStopAndGoesOn() throws Exception {
        bytes = new byte[24 << 20]; // more than the sockets hold, so that much has been read when write() returns
        try (RawFtp client = login()) {
            Socket data = client.begin("STOR /t/f");
            data.getOutputStream().write(bytes, 0, 20 << 20);
            long before = System.nanoTime();

            ftp = ftp.restart();

            assertThat(System.nanoTime() - before).isLessThan(5_000_000_000L);
            client.expect(421);
            data.close();
        }
        goOnFrom(sizeWhenItCanGoOn());
    }

    /** What is put aside of the last fragment is kept too. */
    @Test
    void uploadsThatStandStillWithoutMemoryAreLeftWithAllThatCame() throws Exception {
        int begun = FRAGMENT_BYTES + 4465;
        List<RawFtp> clients = new ArrayList<>();
        for (int i = 0; i < BUFFERS + 2; i++) {
            RawFtp client = login();
            Socket data = client.begin("STOR /t/standing-" + i);
            data.getOutputStream().write(bytes, 0, begun);
            clients.add(client);
        }
        for (RawFtp client : clients) {
            client.awaitReceived(begun);
        }

        ftp = ftp.restart();

        for (RawFtp client : clients) {
            client.expect(421);
            client.close();
        }
        try (RawFtp client = login()) {
            for (int i = 0; i < clients.size(); i++) {
                // A client is told one byte less, so that it has something to send.
                assertThat(client.ok("SIZE /t/standing-" + i)).isEqualTo("213 " + (begun - 1));
                Socket data = client.passive();
                client.expect("REST " + begun, 350);
                client.expect("STOR /t/standing-" + i, 150);
                data.getOutputStream().write(bytes, begun, bytes.length - begun);
                data.close();
                client.expect(226);
                assertThat(ftp.spool.content("t", "standing-" + i)).isEqualTo(bytes);
            }
        }
    }

    @Test
    void emptyDirectoryAndEmptyFileAreAccepted() throws Exception {
        try (RawFtp client = login()) {
            client.ok("MKD /t/empty");
            client.ok("ALLO 0");
            client.passive().close();
            client.ok("ALLO 0");
            Socket data = client.begin("STOR /t/empty/file");
            data.close();
            client.expect(226);
            assertThat(client.ok("SIZE /t/empty/file")).isEqualTo("213 0");
            assertThat(client.ok("MLST /t/empty")).contains("Type=dir");
        }
    }
}
