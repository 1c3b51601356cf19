package io.hawser.agenta.ftp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.hawser.agenta.account.Accounts;
import io.hawser.agenta.testkit.FtpFixture;
import io.hawser.agenta.testkit.FtpSettings;
import io.hawser.agenta.testkit.OnFtpServer;
import io.hawser.agenta.testkit.RawFtp;
import io.hawser.ops.observe.AuditLog;
import io.hawser.ops.observe.Json;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the audit log says of FTP clients. */
class SessionAuditTest extends OnFtpServer {
    private final List<String> notes = new CopyOnWriteArrayList<>();

    @BeforeEach
    void start() throws Exception {
        UnaryOperator<FtpSettings> alice = config -> config.withAccounts(Accounts.of("alice", "secret"))
                .withLogin(Duration.ofSeconds(30), Duration.ofMillis(1));
        ftp = FtpFixture.start(alice);
        ftp.audit((who, what, object, from, result) ->
                notes.add(String.join("|", who, what, object, from.toString(), result)));
        client = RawFtp.connect(ftp.port);
    }

    private void logIn() throws Exception {
        client.expect("USER alice", 331);
        client.ok("PASS secret");
        client.ok("TYPE I");
    }

    private String note(String who, String what, String object, String result) {
        return String.join(
                "|", who, what, object, "/127.0.0.1:" + client.socket().getLocalPort(), result);
    }

    @Test
    void loginsTransfersAndChangesAreNotedWithWhoWhatWhereFromAndWhatCameOfIt() throws Exception {
        client.expect("USER alice", 331);
        client.expect("PASS wrong", 530);
        logIn();
        client.ok("MKD /t/new");
        client.ok("CWD /t");
        client.upload("STOR a b", "content".getBytes(StandardCharsets.UTF_8));
        client.rename("a b", "c");
        client.ok("DELE c");
        client.expect("DELE c", 550);

        assertThat(notes)
                .containsExactly(
                        note("-", "login", "alice", "530 Login incorrect."),
                        note("alice", "login", "alice", "ok"),
                        note("alice", "MKD", "/t/new", "ok"),
                        note("alice", "STOR", "/t/a b", "ok"),
                        note("alice", "RNTO", "/t/a b -> /t/c", "ok"),
                        note("alice", "DELE", "/t/c", "ok"),
                        note("alice", "DELE", "/t/c", "550 /t/c: No such file or directory"));
    }

    @Test
    void passwordsAreNeverNotedNorWhatOnlyAsks() throws Exception {
        client.expect("PASS secret", 503);
        logIn();
        client.ok("PWD");
        client.expect("SIZE /t/x", 451);

        assertThat(notes)
                .containsExactly(
                        note("-", "login", "-", "503 Send USER first."), note("alice", "login", "alice", "ok"));
    }

    @Test
    void aClientThatIsGoneBeforeItsReplyIsNotedOnce() throws Exception {
        logIn();
        Socket data = client.begin("STOR /t/x");
        String left = note("alice", "STOR", "/t/x", "the client was gone before the reply");
        client.close();
        await().until(() -> notes.contains(left));
        data.close();

        await().until(() -> ftp.spool.all().size() == 1); // the upload that broke off has ended, too
        assertThat(notes).filteredOn(each -> each.contains("STOR")).containsExactly(left);
    }

    @Test
    void namesOfAClientMakeNoLinesInTheFile(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("audit.log");
        AuditLog log = AuditLog.open(file, "agent-a");
        ftp.audit(log);
        String hostile = "x\"}{\"who\":\"root\u001b[2J\u009b2J\u2028y";
        client.expect("USER " + hostile, 331);
        client.expect("PASS x", 530);
        log.close();

        List<String> lines = Files.readAllLines(file, StandardCharsets.US_ASCII);
        assertThat(lines).hasSize(1).allMatch(line -> line.chars().allMatch(c -> c >= 0x20 && c < 0x7f));
        JsonNode line = Json.tree(lines.get(0).getBytes(StandardCharsets.US_ASCII));
        assertThat(line.get("object").asText()).isEqualTo(hostile);
        assertThat(line.get("who").asText()).isEqualTo("-");
        assertThat(line.get("from").asText()).startsWith("/127.0.0.1:");
    }
}
