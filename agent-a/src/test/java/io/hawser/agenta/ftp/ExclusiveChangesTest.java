package io.hawser.agenta.ftp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.agenta.testkit.OnUsualFtpServer;
import io.hawser.agenta.testkit.RawFtp;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.TransferKind;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.store.runtime.DiskExecutor.Lane;
import io.hawser.store.spool.TransferSnapshot;
import io.hawser.store.testkit.FaultyStorage;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Two sessions change one name: exactly one of them succeeds, as programs expect that claim a job or a lock so. */
@Invariant(InvariantName.HONEST_ANSWERS)
class ExclusiveChangesTest extends OnUsualFtpServer {

    @SuppressWarnings("NullAway.Init") // start() comes before each test
    private RawFtp two;

    @BeforeEach
    void prepare() throws Exception {
        two = RawFtp.login(ftp.port);
    }

    @AfterEach
    void end() throws Exception {
        two.close();
    }

    private void readyToRename(RawFtp client, String path) throws Exception {
        client.expect("RNFR " + path, 350);
    }

    private static String refused(RawFtp client, String command) throws Exception {
        return client.expect(command, 550);
    }

    /** What {@code client} has sent so far runs, as far as it comes. */
    private void letRun(RawFtp client, String command) throws Exception {
        client.send(command);
        try (RawFtp other = RawFtp.login(ftp.port)) { // one loop serves all, in the order of their bytes
            other.ok("NOOP");
        }
    }

    private List<TransferSnapshot> sent(TransferKind kind) {
        return ftp.spool.all().stream()
                .filter(state -> state.manifest().kind() == kind)
                .toList();
    }

    @Test
    void renameTakesWhatIsThereAtRnto() throws Exception {
        ftp.remote.connect();
        client.upload("STOR /t/job", new byte[1]);
        readyToRename(client, "/t/job");
        readyToRename(two, "/t/job");

        client.ok("RNTO /t/job.1");

        assertThat(refused(two, "RNTO /t/job.2")).contains("/t/job: No such file or directory");
        assertThat(refused(two, "SIZE /t/job.2")).contains("No such file");
        assertThat(two.ok("SIZE /t/job.1")).isEqualTo("213 1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"/t/k", "/t/k2"})
    void whatWasDeletedSinceRnfrIsNotRenamed(String to) throws Exception {
        client.upload("STOR /t/k", new byte[1]);
        readyToRename(client, "/t/k");
        two.ok("DELE /t/k");

        assertThat(refused(client, "RNTO " + to)).contains("No such file or directory");
    }

    @Test
    void whatWentWithItsDirectorySinceRnfrIsNotRenamed() throws Exception {
        client.upload("STOR /t/d/k", new byte[1]);
        readyToRename(client, "/t/d/k");
        readyToRename(two, "/t/d");
        two.ok("RNTO /t/e");

        assertThat(refused(client, "RNTO /t/k2")).contains("No such file or directory");
    }

    /** Nothing was changed from here since RNFR: what was found then is good enough. */
    @Test
    void whatIsDeliveredSinceRnfrIsRenamedWithoutTheFarEnd() throws Exception {
        client.upload("STOR /t/x.tmp", new byte[1]);
        readyToRename(client, "/t/x.tmp");
        ftp.spool.finishAll();

        client.ok("RNTO /t/x");
    }

    @Test
    void fileThatCameSinceRnfrIsRenamedInsteadOfADirectory() throws Exception {
        ftp.remote.connect();
        client.ok("MKD /t/name");
        readyToRename(client, "/t/name");
        two.ok("RMD /t/name");
        client.upload("STOR /t/name", new byte[1]);
        client.upload("STOR /t/other", new byte[1]);

        client.ok("RNTO /t/other"); // a directory would be refused
    }

    enum Change {
        MKD("MKD /t/n", "MKD /t/n"),
        DELE("DELE /t/n", "DELE /t/n"),
        RMD("RMD /t/n", "RMD /t/n"),
        RNTO("RNTO /t/n.1", "RNTO /t/n.2"),
        /** Onto one name, which only one directory can have. */
        TAKE("RNTO /t/n", "RNTO /t/n"),
        /** One takes the name away by which the other's file is known. */
        RNTO_OF_PARENT("RNTO /t/e", "DELE /t/n/k"),
        DELE_AND_RNTO("DELE /t/n", "RNTO /t/n.2");

        private final String first;
        private final String second;

        Change(String first, String second) {
            this.first = first;
            this.second = second;
        }
    }

    private void prepare(Change change, String name) throws Exception {
        switch (change) {
            case MKD -> {}
            case DELE -> client.upload("STOR " + name, new byte[1]);
            case RMD -> client.ok("MKD " + name);
            case RNTO -> {
                client.upload("STOR " + name, new byte[1]);
                readyToRename(client, name);
                readyToRename(two, name);
            }
            case TAKE -> {
                client.ok("MKD " + name + ".a");
                client.ok("MKD " + name + ".b");
                readyToRename(client, name + ".a");
                readyToRename(two, name + ".b");
            }
            case RNTO_OF_PARENT -> {
                client.upload("STOR " + name + "/k", new byte[1]);
                readyToRename(client, name);
            }
            case DELE_AND_RNTO -> {
                client.upload("STOR " + name, new byte[1]);
                readyToRename(two, name);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void secondWaitsUntilTheFirstIsDurableAndIsRefused(Change change) throws Exception {
        ftp.remote.connect();
        prepare(change, "/t/n");
        ftp.spool.hold(Lane.JOURNAL);
        int before = ftp.spool.all().size();

        client.send(change.first);
        await().until(() -> ftp.spool.all().size() == before + 1);
        letRun(two, change.second);
        ftp.spool.release();

        assertThat(client.reply()).startsWith("25");
        assertThat(two.reply()).startsWith("55");
        assertThat(ftp.spool.all()).hasSize(before + 1);
    }

    /** The disk that failed is not asked again: the second is not told that the first has done it, nor that it succeeded. */
    @ParameterizedTest
    @EnumSource(names = {"MKD", "DELE", "RMD", "RNTO"})
    void secondIsNotAnsweredByAFirstThatIsNotMadeDurable(Change change) throws Exception {
        ftp.remote.connect();
        prepare(change, "/t/n");
        ftp.spool.hold(Lane.JOURNAL);
        int before = ftp.spool.all().size();

        client.send(change.first);
        await().until(() -> ftp.spool.all().size() == before + 1);
        letRun(two, change.second);
        ftp.spool.disk.failCall(1, FaultyStorage.Fault.EIO, false);
        ftp.spool.release();

        assertThat(client.reply()).startsWith("451").contains("Input/output error");
        assertThat(two.reply()).startsWith("451").contains("Input/output error");
    }

    @Test
    void changesOfOtherNamesDoNotWait() throws Exception {
        ftp.remote.connect();
        client.upload("STOR /t/d/x", new byte[1]);
        client.upload("STOR /t/d/xy", new byte[1]);
        client.upload("STOR /t/d/z", new byte[1]);
        client.upload("STOR /t/x", new byte[1]);
        ftp.spool.hold(Lane.JOURNAL);
        client.send("DELE /t/d/x");
        await().until(() -> ftp.spool.all().size() == 5);

        for (String other : List.of("DELE /t/d/xy", "DELE /t/x", "MKD /t/d/y", "MKD /u/d/x")) {
            int known = ftp.spool.all().size();
            try (RawFtp client = RawFtp.login(ftp.port)) {
                client.send(other);
                await().until(() -> ftp.spool.all().size() > known);
            }
        }
        readyToRename(two, "/t/d"); // not for what is below it either
    }

    /** Both have asked the far end before either change is accepted: it answers both that the file is there. */
    @Test
    void secondOfTwoAnswersOfTheFarEndComesTooLate() throws Exception {
        ftp.remote.connect().file("k", new byte[1]);
        ftp.remote.holdLooks();
        letRun(client, "DELE /t/k");
        letRun(two, "DELE /t/k");
        await().until(() -> ftp.remote.openQuestions() == 2);

        ftp.remote.goOn();

        assertThat(two.expect(550)).contains("No such file or directory");
        TransferSnapshot deletion = sent(TransferKind.DELETE).get(0);
        ftp.spool.receipt(deletion.key(), "site-b", ReceiptStatus.DELIVERED, "");
        client.expect(250);
        assertThat(sent(TransferKind.DELETE)).hasSize(1);
    }

    @Test
    void answerFromBeforeADeletionThatIsDoneIsNotBelieved() throws Exception {
        client.upload("STOR /t/k", new byte[1]);
        ftp.spool.finishAll();
        client.upload("STOR /t/other", new byte[1]);
        ftp.remote.connect().file("k", new byte[1]);
        ftp.remote.holdLooks();
        letRun(two, "DELE /t/k");
        await().until(() -> ftp.remote.openQuestions() == 1);
        readyToRename(client, "/t/other");
        client.ok("RNTO /t/k");
        client.ok("DELE /t/k");
        ftp.spool.finishAll();

        ftp.remote.answerOneLook();
        await().until(() -> ftp.remote.stats.get() == 1 && ftp.remote.openQuestions() == 1);
        ftp.remote.remove("k");
        ftp.remote.goOn();

        assertThat(two.expect(550)).contains("No such file or directory");
        assertThat(sent(TransferKind.DELETE)).hasSize(1);
    }

    /** Whether the first one's directory has been delivered meanwhile or not. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void answerFromBeforeADirectoryWasMadeIsNotBelieved(boolean delivered) throws Exception {
        ftp.remote.connect();
        ftp.remote.holdLooks();
        letRun(client, "MKD /t/lock");
        letRun(two, "MKD /t/lock");
        await().until(() -> ftp.remote.openQuestions() == 2);

        ftp.remote.answerOneLook();
        client.expect(257);
        if (delivered) {
            ftp.spool.finishAll();
        }
        ftp.remote.answerOneLook();
        ftp.remote.directory("lock");
        ftp.remote.goOn();

        assertThat(two.expect(550)).contains("File exists");
        assertThat(sent(TransferKind.MAKE_DIRECTORY)).hasSize(1);
    }

    @Test
    void emptyDirectoryIsNotRemovedWhileSomethingIsMadeInIt() throws Exception {
        ftp.remote.connect();
        client.ok("MKD /t/d");
        ftp.spool.hold(Lane.JOURNAL);
        client.send("MKD /t/d/x");
        await().until(() -> ftp.spool.all().size() == 2);

        assertThat(refused(two, "RMD /t/d")).contains("Directory not empty");
        ftp.spool.release();
        client.expect(257);
    }

    /** Both have asked whether it is empty before either removal is accepted. */
    @Test
    void directoryOnItsWayIsRemovedOnceAfterTwoAnswers() throws Exception {
        client.ok("MKD /t/d"); // while the far end is away: whether it is new is not known
        ftp.remote.connect();
        ftp.remote.holdLooks();
        letRun(client, "RMD /t/d");
        letRun(two, "RMD /t/d");
        await().until(() -> ftp.remote.openQuestions() == 2);

        ftp.remote.directory("d");
        ftp.remote.goOn();

        assertThat(two.expect(550)).contains("No such file or directory");
        assertThat(sent(TransferKind.REMOVE_DIRECTORY)).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource(names = "RNTO_OF_PARENT", mode = EnumSource.Mode.EXCLUDE)
    void oneOfTwoAtOnceSucceeds(Change change) throws Exception {
        ftp.remote.connect();
        for (int round = 0; round < 20; round++) {
            String name = "/t/" + round;
            prepare(change, name);

            client.send(change.first.replace("/t/n", name));
            two.send(change.second.replace("/t/n", name));

            assertThat(List.of(client.reply(), two.reply()))
                    .as("round %d", round)
                    .filteredOn(reply -> reply.startsWith("25"))
                    .hasSize(1);
        }
    }
}
