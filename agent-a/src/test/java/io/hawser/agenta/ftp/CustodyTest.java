package io.hawser.agenta.ftp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.hawser.agenta.account.Account;
import io.hawser.agenta.account.Accounts;
import io.hawser.agenta.account.Permission;
import io.hawser.agenta.custody.CustodyLevel;
import io.hawser.agenta.custody.CustodyRules;
import io.hawser.agenta.testkit.FtpFixture;
import io.hawser.agenta.testkit.FtpSettings;
import io.hawser.agenta.testkit.OnFtpServer;
import io.hawser.agenta.testkit.RawFtp;
import io.hawser.agenta.testkit.SpoolRig;
import io.hawser.core.ftp.FtpPath;
import io.hawser.core.model.CompletionRule;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.TransferKey;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import io.hawser.store.spool.SpoolPhase;
import java.net.Socket;
import java.time.Duration;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** When the final reply of an upload comes, and what it says. */
class CustodyTest extends OnFtpServer {

    private RawFtp start(String custody, UnaryOperator<FtpSettings> more) throws Exception {
        ftp = FtpFixture.start(config -> more.apply(config.withCustody(CustodyRules.parse(custody))));
        return RawFtp.login(ftp.port);
    }

    /** Followed is the last transfer that the broker has. */
    private RawFtp startFollowingOne(String custody) throws Exception {
        ftp = FtpFixture.start(
                config -> config.withCustody(CustodyRules.parse(custody)),
                SpoolRig.config().withMaxAwaitingReceipts(1));
        return RawFtp.login(ftp.port);
    }

    private void anotherIsBrokered(String path) throws Exception {
        try (RawFtp other = RawFtp.login(ftp.port)) {
            ftp.spool.brokered(store(other, path), "one");
            other.expect(226);
        }
    }

    private RawFtp start(String custody) throws Exception {
        return start(custody, config -> config.withCustodyTime(Duration.ofSeconds(50)));
    }

    private TransferKey store(RawFtp client, String path) throws Exception {
        client.ok("TYPE I");
        client.ok("ALLO 3");
        try (Socket data = client.begin("STOR " + path)) {
            data.getOutputStream().write(new byte[] {1, 2, 3});
        }
        await().until(() -> ftp.spool.newest().phase() == SpoolPhase.SPOOLED);
        return ftp.spool.newest().key();
    }

    @Test
    void replyComesWithTheLevelAndNotBefore() throws Exception {
        RawFtp client = start("delivered");
        TransferKey key = store(client, "/t/f");

        ftp.spool.brokered(key, "one", "two");
        ftp.spool.receipt(key, "one", ReceiptStatus.DELIVERED, "");
        ftp.spool.receipt(key, "two", ReceiptStatus.LANDED, "");
        client.send("NOOP"); // answered in its turn
        client.send("STAT"); // answered at once
        assertThat(client.expect(211)).contains("Waiting until transfer " + key.id() + " is delivered");
        ftp.spool.receipt(key, "two", ReceiptStatus.DELIVERED, "");

        assertThat(client.expect(226)).isEqualTo("226 Transfer " + key.id() + " delivered.");
        client.expect(200);
    }

    /** Its delivery meets what is there, and the reply waits for that: a far end far away need not be asked first. */
    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void uploadThatWaitsForItsDeliveryIsNotHeldUpByTheLookAtItsName() throws Exception {
        RawFtp client = start("delivered");
        ftp.remote.connect().holdLooks();

        boolean isUnderWayBeforeTheAnswer = false;
        for (int i = 0; i < 3 && !isUnderWayBeforeTheAnswer; i++) { // a machine that stalls lets a question time out
            TransferKey key = store(client, "/t" + i + "/dir");
            isUnderWayBeforeTheAnswer = ftp.remote.openQuestions() > 0;
            ftp.spool.receipt(key, "one", ReceiptStatus.FAILED, "Is a directory");
            assertThat(client.expect(550)).contains("Is a directory");
        }

        assertThat(isUnderWayBeforeTheAnswer).isTrue();
    }

    @Test
    void anySoManyFarEdgesAreEnoughIfTheOperatorSaysSo() throws Exception {
        CustodyRules anyOne = CustodyRules.parse("landed").withCompletion(CompletionRule.any(1));
        ftp = FtpFixture.start(config -> config.withCustody(anyOne));
        RawFtp client = RawFtp.login(ftp.port);
        TransferKey key = store(client, "/t/f");

        ftp.spool.brokered(key, "one", "two", "three");
        ftp.spool.receipt(key, "two", ReceiptStatus.FAILED, "Is a directory");
        ftp.spool.receipt(key, "three", ReceiptStatus.LANDED, "");

        assertThat(client.expect(226)).isEqualTo("226 Transfer " + key.id() + " landed.");
        TransferKey other = store(client, "/t/g");
        ftp.spool.receipt(other, "one", ReceiptStatus.FAILED, "Is a directory");
        assertThat(client.expect(550)).contains("Is a directory").contains("any:1 was requested");
    }

    private boolean isReported(TransferKey key) throws Exception {
        return ftp.loop()
                .submit(() -> ftp.files.names().reportedFailures().contains(key))
                .get();
    }

    @Test
    void failureIsReportedIfItWasTheFinalReply() throws Exception {
        RawFtp client = start("landed,/early=spooled");
        TransferKey upload = store(client, "/t/f");
        ftp.spool.receipt(upload, "one", ReceiptStatus.FAILED, "Is a directory");
        assertThat(client.expect(550)).contains("Is a directory");
        client.send("MKD /t/d");
        await().until(() -> ftp.spool.all().size() == 2);
        TransferKey change = ftp.spool.all().get(1).key();
        ftp.spool.receipt(change, "one", ReceiptStatus.FAILED, "File exists");
        assertThat(client.expect(550)).contains("File exists");

        assertThat(isReported(upload)).isTrue();
        assertThat(isReported(change)).isTrue();

        TransferKey early = store(client, "/early/f");
        client.expect(226);
        ftp.spool.receipt(early, "one", ReceiptStatus.FAILED, "Is a directory");
        assertThat(isReported(early)).isFalse();
    }

    @Test
    void longestDirectoryDecides() throws Exception {
        RawFtp client = start("brokered,/t=spooled,/t/vip=landed");
        store(client, "/t/f");
        client.expect(226);
        TransferKey key = store(client, "/t/vip/f");
        ftp.spool.brokered(key);
        ftp.spool.receipt(key, "one", ReceiptStatus.LANDED, "");
        assertThat(client.expect(226)).endsWith(" landed.");
        TransferKey other = store(client, "/u/f");
        ftp.spool.brokered(other);
        assertThat(client.expect(226)).endsWith(" brokered.");
    }

    @Test
    void levelOfAnAccountDecidesForItsUploads() throws Exception {
        ftp = FtpFixture.start(config -> config.withAccounts(Accounts.of((name, password) ->
                Optional.of(new Account(name, FtpPath.ROOT, Permission.all(), CustodyLevel.BROKERED)))));
        RawFtp client = RawFtp.login(ftp.port, "anna");

        TransferKey key = store(client, "/t/f");
        ftp.spool.brokered(key);

        assertThat(client.expect(226)).endsWith(" brokered.");
    }

    @Test
    void failureIsToldWithItsReason() throws Exception {
        RawFtp client = start("landed");
        TransferKey key = store(client, "/t/f");
        ftp.spool.receipt(key, "one", ReceiptStatus.FAILED, "Is a directory");

        assertThat(client.expect(550))
                .contains("/t/f")
                .contains(key.id().toString())
                .contains("Is a directory");
    }

    @Test
    void aDeadLetterEndsTheWaitForItsDelivery() throws Exception {
        RawFtp client = start("delivered");
        TransferKey key = store(client, "/t/f");
        ftp.spool.receipt(key, "one", ReceiptStatus.DEAD, "Is a directory");

        assertThat(client.expect(550)).contains("waits for a person: one: on its dead-letter list: Is a directory");
        assertThat(client.expect("SITE RECEIPT " + key.id(), 213))
                .contains("Custody: landed")
                .contains("Waits: one: on its dead-letter list: Is a directory")
                .contains("Receipt: one dead ");
    }

    @Test
    void lackOfARightIsToldAtOnceAndNothingIsKeptOfWhatFailed() throws Exception {
        RawFtp client = start("landed");
        TransferKey key = store(client, "/t/f");

        ftp.spool.lacksRight(key, "agent-a:berlin has no right to publish on topic t");

        assertThat(client.expect(550)).contains(key.id() + " failed").contains("has no right to publish on topic t");
        assertThat(ftp.spool.all().get(0).phase()).isEqualTo(SpoolPhase.CANCELLED);
    }

    @Test
    void whatIsAcceptedWaitsForARightAndItsReceiptSaysSo() throws Exception {
        RawFtp client = start("spooled");
        TransferKey key = store(client, "/t/f");
        client.expect(226);

        ftp.spool.lacksRight(key, "agent-a:berlin has no right to publish on topic t");

        assertThat(client.ok("SITE RECEIPT " + key.id()))
                .contains("Custody: spooled")
                .contains("Waits: agent-a:berlin has no right to publish on topic t");
        client.expect("SITE WAIT " + key.id() + " brokered", 550, "waits for a right");
        assertThat(ftp.spool.all().get(0).phase()).isEqualTo(SpoolPhase.SPOOLED);
        ftp.spool.letIn(key);
        client.send("SITE WAIT " + key.id() + " brokered");
        ftp.spool.brokered(key);
        client.expect(250);
    }

    @Test
    void clientThatHasWaitedLongEnoughIsToldWhatIsReached() throws Exception {
        RawFtp client = start("delivered", config -> config.withCustodyTime(Duration.ofMillis(300)));
        TransferKey key = store(client, "/t/f");
        ftp.spool.brokered(key, "one");

        assertThat(client.expect(250))
                .contains(key.id() + " brokered, not yet delivered")
                .contains("SITE RECEIPT");
        client.ok("NOOP");
    }

    @Test
    void aborEndsTheWaitAndNotTheUpload() throws Exception {
        RawFtp client = start("delivered");
        store(client, "/t/f");

        client.expect("ABOR", 250);
        client.expect(226);
        assertThat(ftp.spool.content("t", "f")).hasSize(3);
    }

    @Test
    void clientThatLeavesWhileItWaitsHarmsNothing() throws Exception {
        RawFtp client = start("delivered");
        TransferKey key = store(client, "/t/f");
        client.close();

        ftp.spool.receipt(key, "one", ReceiptStatus.DELIVERED, "");

        RawFtp.login(ftp.port).ok("NOOP");
    }

    @Test
    void receiptsAreTold() throws Exception {
        RawFtp client = start("spooled");
        TransferKey key = store(client, "/t/f");
        client.expect(226);
        ftp.spool.brokered(key, "one", "two");
        ftp.spool.receipt(key, "one", ReceiptStatus.LANDED, "");

        assertThat(client.expect("SITE RECEIPT " + key.id(), 213))
                .contains("Name: f")
                .contains("Custody: brokered")
                .contains("Size: 3")
                .contains("Receipt: one landed");
        client.send("SITE WAIT " + key.id() + " landed");
        ftp.spool.receipt(key, "two", ReceiptStatus.DELIVERED, "");
        assertThat(client.expect(250)).contains("landed");
        client.expect("SITE RECEIPT", 501, "needs a transfer");
        for (String id : new String[] {"x", "00000000000000000000000000000000", "f".repeat(60_000)}) {
            client.expect("SITE RECEIPT " + id, 550);
        }
        client.expect("SITE WAIT " + key.id() + " never", 501);
    }

    @Test
    void receiptsOfOthersAreNotTold() throws Exception {
        ftp = FtpFixture.start(config -> config.withAnyAccount());
        RawFtp anna = RawFtp.login(ftp.port, "anna");
        TransferKey key = store(anna, "/t/f");
        anna.expect(226);
        RawFtp bob = RawFtp.login(ftp.port, "bob");

        bob.expect("SITE RECEIPT " + key.id(), 550);
        anna.expect("SITE RECEIPT " + key.id(), 213);
    }

    @Test
    void waitEndsAfterItsTime() throws Exception {
        RawFtp client = start("spooled", config -> config.withCustodyTime(Duration.ofMillis(100)));
        TransferKey key = store(client, "/t/f");
        client.expect(226);

        client.expect("SITE WAIT " + key.id() + " delivered", 450, "not yet delivered");
    }

    private TransferKey change(RawFtp client, String command) throws Exception {
        int before = ftp.spool.all().size();
        client.send(command);
        await().until(() -> ftp.spool.all().size() > before);
        return ftp.spool.all().get(before).key();
    }

    @Test
    void changesOfWhatIsOnItsWayAreAnsweredAtTheLevelOfTheirPath() throws Exception {
        RawFtp client = start("spooled,/t/vip=delivered");
        store(client, "/t/f");
        client.expect(226);
        client.rename("/t/f", "/t/g"); // spooled: at once
        client.expect("RNFR /t/g", 350);

        TransferKey rename = change(client, "RNTO /t/vip/g");
        ftp.spool.receipt(rename, "one", ReceiptStatus.LANDED, "");
        client.send("NOOP"); // answered in its turn
        ftp.spool.receipt(rename, "one", ReceiptStatus.DELIVERED, "");
        assertThat(client.expect(250)).contains("Renamed");
        client.expect(200);

        TransferKey directory = change(client, "MKD /t/vip/d");
        ftp.spool.receipt(directory, "one", ReceiptStatus.FAILED, "Not a directory");
        assertThat(client.expect(550)).isEqualTo("550 /t/vip/d: Not a directory");
    }

    @Test
    void aborEndsTheWaitForAChangeWhichStaysQueued() throws Exception {
        RawFtp client = start("/t/vip=delivered");
        TransferKey directory = change(client, "MKD /t/vip/d");
        assertThat(client.expect("STAT", 211)).contains("Waiting until transfer " + directory.id());

        assertThat(client.expect("ABOR", 250)).contains(directory.id() + " is queued, not yet delivered");
        client.expect(226);
        ftp.spool.receipt(directory, "one", ReceiptStatus.DELIVERED, "");
        client.ok("NOOP");

        ftp.remote.connect().file("f", new byte[1]);
        TransferKey deletion = change(client, "DELE /t/f");
        assertThat(client.expect("ABOR", 450)).contains("queued and will be made, transfer " + deletion.id());
        client.expect(226);

        TransferKey second = change(client, "MKD /t/vip/e");
        client.close();
        ftp.spool.receipt(second, "one", ReceiptStatus.DELIVERED, "");
        assertThat(ftp.spool.all()).hasSize(3);
    }

    @Test
    @Invariant(InvariantName.HONEST_ANSWERS)
    void changeThatIsNoLongerFollowedIsNotCalledDelivered() throws Exception {
        RawFtp client = startFollowingOne("/t/vip=delivered");
        TransferKey directory = change(client, "MKD /t/vip/d");
        ftp.spool.brokered(directory, "one", "two");
        ftp.spool.receipt(directory, "one", ReceiptStatus.DELIVERED, "");

        anotherIsBrokered("/t/other");

        assertThat(client.expect(250)).contains(directory.id() + " is queued, not yet delivered");
        assertThat(client.ok("SITE RECEIPT " + directory.id()))
                .contains("Phase: not followed", "Custody: brokered", "ask the broker");

        ftp.remote.connect().file("f", new byte[1]);
        TransferKey deletion = change(client, "DELE /t/f");
        ftp.spool.brokered(deletion, "one");
        anotherIsBrokered("/t/third");
        assertThat(client.expect(450)).contains("queued and will be made, transfer " + deletion.id());
    }

    @Test
    void changeThatIsNotThereInTimeIsQueued() throws Exception {
        RawFtp client = start("/t/vip=landed", config -> config.withCustodyTime(Duration.ofMillis(200)));

        TransferKey directory = change(client, "MKD /t/vip/d");

        assertThat(client.expect(250))
                .isEqualTo("250 Transfer " + directory.id() + " is queued, not yet landed; see SITE RECEIPT "
                        + directory.id() + ".");
    }
}
