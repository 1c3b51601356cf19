package io.hawser.agenta.ftp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.hawser.agenta.account.Account;
import io.hawser.agenta.account.AccountSource;
import io.hawser.agenta.account.Accounts;
import io.hawser.agenta.account.Permission;
import io.hawser.agenta.testkit.BlockStream;
import io.hawser.agenta.testkit.FtpFixture;
import io.hawser.agenta.testkit.FtpSettings;
import io.hawser.agenta.testkit.OnFtpServer;
import io.hawser.agenta.testkit.RawFtp;
import io.hawser.core.ftp.FtpPath;
import io.hawser.core.testkit.Invariant;
import io.hawser.core.testkit.InvariantName;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** What an account may do, where its root is, and what happens to those who guess. */
class AccountsTest extends OnFtpServer {

    private void start(AccountSource source) throws Exception {
        ftp = FtpFixture.start(config -> config.withAccounts(Accounts.of(source))
                .withLogin(Duration.ofSeconds(30), Duration.ZERO)
                .withBar(5, Duration.ofMinutes(5)));
    }

    private RawFtp login(String root, Permission... permissions) throws Exception {
        FtpPath directory = FtpPath.ROOT.resolve(root).asRoot();
        start((name, password) -> password.equals("right")
                ? Optional.of(new Account(name, directory, Set.of(permissions), null))
                : Optional.empty());
        RawFtp client = RawFtp.connect(ftp.port);
        client.expect("USER anna", 331);
        client.ok("PASS right");
        return client;
    }

    @Test
    void readersMayNotWrite() throws Exception {
        RawFtp client = login("/", Permission.READ, Permission.LIST);
        client.ok("EPSV");
        for (String command : new String[] {"STOR /t/f", "APPE /t/f", "MKD /t/d"}) {
            client.expect(command, 550, "Permission denied");
        }
        assertThat(ftp.spool.all()).isEmpty();
        client.ok("CWD /t");
        assertThat(client.ok("MLST /t")).contains("Perm=el;");
    }

    @Test
    void writersMayNotList() throws Exception {
        RawFtp client = login("/", Permission.WRITE);
        client.ok("EPSV");
        for (String command : new String[] {"LIST", "NLST", "MLSD", "MLST /t", "SIZE /t/f", "MDTM /t/f"}) {
            client.expect(command, 550, "Permission denied");
        }
        client.ok("MKD /t/d");
    }

    @Test
    void rootOfAnAccountIsAllThatItSees() throws Exception {
        RawFtp client = login("/site-b/anna", Permission.WRITE, Permission.LIST);
        client.ok("TYPE I");
        assertThat(client.ok("PWD")).contains("\"/\"");
        client.ok("CWD ../../..");
        assertThat(client.ok("PWD")).contains("\"/\"");
        assertThat(client.ok("MKD in")).contains("\"/in\"");
        try (Socket data = client.passive()) {
            assertThat(client.expect("STOR /../in/f", 150)).contains("/in/f").doesNotContain("anna");
            data.getOutputStream().write(1);
        }
        client.expect(226);
        client.ok("EPSV");
        for (String command : new String[] {"STOR /", "STOR ..", "STOR .", "APPE .."}) {
            client.expect(command, 553);
        }
        client.expect("MKD ..", 550);

        assertThat(ftp.spool.content("site-b", "anna/in/f")).containsExactly(1);
    }

    @Test
    void restIsUsedUpByADownloadThatIsDenied() throws Exception {
        RawFtp client = login("/", Permission.WRITE);
        client.ok("TYPE I");
        for (String denied : new String[] {"RETR /t/f", "ERET P 0 1 /t/f", "NLST /t"}) {
            client.expect("REST 3", 350);
            client.expect(denied, 550);
            client.upload("STOR /t/f", new byte[] {1});
        }
        assertThat(ftp.spool.content("t", "f")).containsExactly(1);
    }

    @Test
    void slowPasswordCheckHoldsNobodyElseUp() throws Exception {
        CountDownLatch slow = new CountDownLatch(1);
        start((name, password) -> {
            try {
                slow.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return Optional.of(Account.unlimited(name));
        });
        RawFtp first = RawFtp.connect(ftp.port);
        first.expect("USER anna\r\nPASS x\r\nPWD", 331);
        RawFtp second = RawFtp.connect(ftp.port);
        second.ok("SYST");

        slow.countDown();

        first.expect(230);
        first.expect(257);
    }

    @Test
    void addressThatGuessesIsBarredOverAllItsConnections() throws Exception {
        start((name, password) -> password.equals("right") ? Optional.of(Account.unlimited(name)) : Optional.empty());
        for (int i = 0; i < 5; i++) {
            try (RawFtp client = RawFtp.connect(ftp.port)) {
                client.expect("USER anna" + i, 331);
                client.expect("PASS wrong", 530);
            }
        }
        try (RawFtp client = RawFtp.connect(ftp.port)) {
            client.expect("USER anna", 331);
            client.expect("PASS right", 421);
            assertThat(client.reply()).isEmpty();
        }
    }

    @Test
    void anonymousBeyondLoopbackIsForThoseWhoSaySo() throws Exception {
        start((name, password) -> Optional.empty());
        InetSocketAddress everywhere = new InetSocketAddress(InetAddress.getByName("0.0.0.0"), 0);

        FtpSettings config = FtpSettings.anonymous()
                .withAccounts(Accounts.anonymousAnywhere(Set.of(Permission.READ)))
                .withListen(everywhere);

        assertThat(config.sessions().accounts().withoutPassword("ftp"))
                .get()
                .satisfies(account -> assertThat(account.may(Permission.WRITE)).isFalse());
    }

    @Test
    void aLoginThatCannotBeCheckedInTimeIsNoGuess() throws Exception {
        CompletableFuture<Boolean> checked = new CompletableFuture<>();
        ftp = FtpFixture.start(config -> config.withAccounts(Accounts.of((name, password) -> {
                    checked.join();
                    return Optional.of(Account.unlimited(name));
                }))
                .withBar(1, Duration.ofMinutes(5)));
        Map<SocketChannel, StringBuilder> clients = new HashMap<>();
        try {
            for (int i = 0; i < 1 + 64 + 1; i++) {
                SocketChannel client = SocketChannel.open();
                client.bind(new InetSocketAddress("127.0.9." + (1 + i % 3), 0));
                client.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), ftp.port));
                client.configureBlocking(false);
                client.write(StandardCharsets.US_ASCII.encode("USER anna\r\nPASS right\r\n"));
                clients.put(client, new StringBuilder());
            }
            await().until(() -> answered(clients, "331") == clients.size() && answered(clients, "421") == 1);
            assertThat(clients.values()).anyMatch(text -> text.indexOf("421 Too many logins at a time") > 0);

            checked.complete(true);

            await().until(() -> answered(clients, "230") == clients.size() - 1);
            for (int i = 1; i <= 3; i++) {
                InetAddress own = InetAddress.getByName("127.0.9." + i);
                try (RawFtp again = RawFtp.on(new Socket(InetAddress.getLoopbackAddress(), ftp.port, own, 0))) {
                    again.expect(220);
                    again.expect("USER anna", 331);
                    again.ok("PASS right");
                }
            }
        } finally {
            checked.complete(true);
            for (SocketChannel client : clients.keySet()) {
                client.close();
            }
        }
    }

    @Test
    void aLoginWhoseCheckFailsIsNoGuess() throws Exception {
        ftp = FtpFixture.start(config -> config.withAccounts(Accounts.of((name, password) -> switch (name) {
                    case "exception" -> throw new IllegalStateException("the users file is damaged");
                    case "error" -> throw new StackOverflowError("planted");
                    default -> Optional.of(Account.unlimited(name));
                }))
                .withBar(1, Duration.ofMinutes(5)));

        for (String name : List.of("exception", "error", "exception")) {
            try (RawFtp client = RawFtp.connect(ftp.port)) {
                client.expect("USER " + name + "\r\nPASS right", 331);
                assertThat(client.expect(421)).contains("The login could not be checked; try again later.");
            }
        }
        RawFtp.login(ftp.port, "anna").close();
    }

    /** How many have got that reply. */
    private static long answered(Map<SocketChannel, StringBuilder> clients, String code) throws IOException {
        ByteBuffer some = ByteBuffer.allocate(1000);
        for (Map.Entry<SocketChannel, StringBuilder> client : clients.entrySet()) {
            if (client.getKey().read(some.clear()) > 0) {
                client.getValue().append(StandardCharsets.US_ASCII.decode(some.flip()));
            }
        }
        return clients.values().stream()
                .filter(text -> text.indexOf("\n" + code) > 0)
                .count();
    }

    /** In MODE E a session may have hundreds, and an account many sessions: others need descriptors, too. */
    @Test
    @Invariant(InvariantName.BOUNDED_MEMORY)
    void dataConnectionsOfOneAccountAreCountedOverItsSessions() throws Exception {
        int most = 2048;
        ftp = FtpFixture.start(config -> config.withAnyAccount());
        List<AutoCloseable> open = new ArrayList<>();
        try {
            List<SocketChannel> anna = new ArrayList<>();
            while (anna.size() <= most) {
                int port = extendedPort("anna", open);
                for (int i = 0; i < 256 && anna.size() <= most; i++) {
                    SocketChannel channel =
                            SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                    channel.configureBlocking(false);
                    anna.add(channel);
                    open.add(channel);
                }
            }
            // They are accepted in any order.
            await().until(() -> anna.stream().filter(AccountsTest::isEnded).count() == 1);
            RawFtp other = RawFtp.login(ftp.port, "berta");
            open.add(other);
            other.ok("TYPE I");
            other.ok("MODE E");
            BlockStream data = BlockStream.connect(other.passivePort());
            open.add(data);
            other.expect("STOR /t/f", 150);
            data.block(0, new byte[9], 0, 9).flags(BlockStream.EOF | BlockStream.EOD, 1);
            await().until(() -> other.reply().startsWith("226"));
        } finally {
            for (AutoCloseable each : open) {
                each.close();
            }
        }
    }

    /** Also those that this end has opened and keeps for the next transfer. */
    @Test
    @Invariant(InvariantName.BOUNDED_MEMORY)
    void dialledConnectionsOfOneAccountAreCountedOverItsSessions() throws Exception {
        ftp = FtpFixture.start(config -> config.withAnyAccount());
        ftp.remote.connect().file("f", new byte[1]);
        int ofSession = 256;
        int sessions = 2048 / ofSession;
        List<AutoCloseable> open = new ArrayList<>();
        try {
            StringBuilder spor = new StringBuilder("SPOR");
            for (int i = 0; i < ofSession / 64; i++) {
                ServerSocket listener = new ServerSocket(0, 1000, InetAddress.getLoopbackAddress());
                open.add(listener);
                int port = listener.getLocalPort();
                spor.append(" 127,0,0,1,").append(port / 256).append(',').append(port % 256);
            }
            for (int i = 0; i <= sessions; i++) {
                RawFtp anna = RawFtp.login(ftp.port, "anna");
                open.add(anna);
                anna.ok("TYPE I");
                anna.ok("MODE E");
                anna.ok("OPTS RETR Parallelism=64,64,64;");
                anna.ok(spor.toString());
                anna.send("RETR /site-b/f");
                if (i < sessions) {
                    anna.expect(150);
                    anna.expect(226);
                    anna.expect("RETR /site-b/f", 125);
                    anna.expect(226);
                } else {
                    assertThat(anna.expect(425)).contains("too many data connections"); // and no 150 before it
                    anna.ok("NOOP");
                }
            }
            RawFtp berta = RawFtp.login(ftp.port, "berta");
            open.add(berta);
            berta.ok("TYPE I");
            berta.ok("MODE E");
            berta.ok(spor.toString());
            berta.expect("RETR /site-b/f", 150);
            berta.expect(226);
        } finally {
            for (AutoCloseable each : open) {
                each.close();
            }
        }
    }

    @Test
    void dataConnectionThatComesWhileANewLoginBeginsIsClosed() throws Exception {
        ftp = FtpFixture.start(config -> config.withAnyAccount());
        try (RawFtp client = RawFtp.login(ftp.port, "anna")) {
            client.ok("MODE E");
            int port = client.passivePort();
            client.expect("USER berta", 331);
            SocketChannel data;
            try {
                data = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            } catch (IOException portIsClosed) {
                return;
            }
            try (data) {
                data.configureBlocking(false);
                await().until(() -> isEnded(data));
            }
        }
    }

    private static boolean isEnded(SocketChannel channel) {
        try {
            return channel.read(ByteBuffer.allocate(1)) < 0;
        } catch (IOException e) {
            return true;
        }
    }

    private int extendedPort(String name, List<AutoCloseable> open) throws IOException {
        RawFtp client = RawFtp.login(ftp.port, name);
        open.add(client);
        client.ok("MODE E");
        return client.passivePort();
    }

    @Test
    void connectionsOfOneAccountAreCounted() throws Exception {
        ftp = FtpFixture.start(config -> config.withAnyAccount().withConnections(9, 9, 1));
        try (RawFtp first = RawFtp.connect(ftp.port);
                RawFtp second = RawFtp.connect(ftp.port);
                RawFtp other = RawFtp.connect(ftp.port)) {
            first.logIn("anna");
            second.expect("USER anna\r\nPASS x", 331);
            assertThat(second.expect(421)).contains("Too many connections of this account");
            assertThat(second.reply()).isEmpty();
            other.logIn("berta");
            first.ok("REIN");
            RawFtp.login(ftp.port, "anna").close();
        }
    }

    @Test
    void connectionsOfOneAddressAreCounted() throws Exception {
        ftp = FtpFixture.start(config -> config.withConnections(9, 2, 9));
        try (RawFtp first = RawFtp.login(ftp.port);
                RawFtp second = RawFtp.login(ftp.port)) {
            RawFtp third = RawFtp.knock(ftp.port);
            assertThat(third.expect(421)).contains("Too many connections of your address");
            first.ok("NOOP");
            second.ok("NOOP");
        }
    }

    @Test
    void doorOfGridftpLeadsToTheSameSessions() throws Exception {
        ftp = FtpFixture.start(config -> config.withGridftp());
        int port = ftp.gridftpPort();
        assertThat(port).isNotEqualTo(ftp.port);
        try (RawFtp client = RawFtp.login(port);
                RawFtp other = RawFtp.login(ftp.port)) {
            client.ok("MKD /t/d");
            assertThat(other.ok("MLST /t/d")).contains("Type=dir");
        }
        InetSocketAddress everywhere = new InetSocketAddress(InetAddress.getByName("0.0.0.0"), 0);
        assertThatThrownBy(() -> ftp.config.withGridftp(everywhere))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("needs accounts");
    }
}
