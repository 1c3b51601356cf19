package io.hawser.agenta.sftp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.agenta.account.Account;
import io.hawser.agenta.account.AccountSource;
import io.hawser.agenta.account.Accounts;
import io.hawser.agenta.account.LoginCounts;
import io.hawser.agenta.sftp.ssh.AuthorizedKeys;
import io.hawser.agenta.sftp.ssh.HostKey;
import io.hawser.agenta.testkit.FtpSettings;
import io.hawser.agenta.testkit.SftpFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPair;
import java.time.Duration;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.apache.sshd.client.session.ClientSession;
import org.apache.sshd.common.config.keys.KeyUtils;
import org.apache.sshd.common.keyprovider.KeyPairProvider;
import org.apache.sshd.common.util.net.SshdSocketAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who may log in by SSH, and to do what. */
class SftpLoginTest {
    @TempDir
    Path directory;

    @SuppressWarnings("NullAway.Init") // by start
    private SftpFixture sftp;

    private void start(UnaryOperator<FtpSettings> config) throws IOException {
        sftp = SftpFixture.start(
                directory,
                usual -> config.apply(usual.withAccounts(Accounts.of("ann", "right"))
                        .withLogin(Duration.ofMinutes(1), Duration.ZERO)));
    }

    @AfterEach
    void stop() {
        sftp.close();
    }

    /** An account whose password nobody knows. */
    private record Named(String account) implements AccountSource {
        @Override
        public Optional<Account> authenticate(String name, String password) {
            return Optional.empty();
        }

        @Override
        public Optional<Account> named(String name) {
            return Optional.of(name).filter(account::equals).map(Account::unlimited);
        }
    }

    private static KeyPair key() throws Exception {
        return KeyUtils.generateKeyPair(KeyPairProvider.SSH_ED25519, 256);
    }

    private long logins(String outcome) throws Exception {
        return sftp.ftp.logins().getOrDefault(new LoginCounts.Row("sftp", outcome), 0L);
    }

    @Test
    void rightPasswordOpensAndWrongOneDoesNot() throws Exception {
        start(config -> config);

        assertThat(sftp.login("ann", "right").isAuthenticated()).isTrue();
        assertThatThrownBy(() -> sftp.login("ann", "wrong")).hasMessageContaining("No more authentication methods");
        assertThatThrownBy(() -> sftp.login("bob", "right")).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> sftp.login("anonymous", "x")).isInstanceOf(IOException.class);
        assertThat(logins("ok")).isEqualTo(1);
        assertThat(logins("refused")).isGreaterThanOrEqualTo(3);
    }

    @Test
    void addressWithTooManyWrongPasswordsIsBarredAlsoWithARightOne() throws Exception {
        start(config -> config.withBar(2, Duration.ofHours(1)));
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> sftp.login("ann", "wrong")).isInstanceOf(IOException.class);
        }

        assertThatThrownBy(() -> sftp.login("ann", "right")).isInstanceOf(IOException.class);
        assertThat(logins("barred")).isPositive();
    }

    @Test
    void keyInTheFileOfItsAccountOpens() throws Exception {
        start(config -> config.withAccounts(Accounts.of(new Named("ann"))));
        KeyPair key = key();
        sftp.authorize("ann", key.getPublic());

        assertThat(sftp.login("ann", key).isAuthenticated()).isTrue();
        assertThatThrownBy(() -> sftp.login("bob", key)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> sftp.login("ann", key())).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> sftp.login("../keys/ann", key)).isInstanceOf(IOException.class);
    }

    @Test
    void keyWithoutItsSignatureDoesNotOpen() throws Exception {
        start(config -> config.withAccounts(Accounts.of(new Named("ann"))));
        KeyPair right = key();
        sftp.authorize("ann", right.getPublic());
        KeyPair forged = new KeyPair(right.getPublic(), key().getPrivate());

        assertThatThrownBy(() -> sftp.login("ann", forged)).isInstanceOf(IOException.class);
        assertThat(logins("ok")).isZero();
    }

    @Test
    void fileThatOthersMayWriteIsNotUsed() throws Exception {
        start(config -> config.withAccounts(Accounts.of(new Named("ann"))));
        KeyPair key = key();
        Path file = sftp.authorize("ann", key.getPublic());
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-rw-r--"));

        assertThatThrownBy(() -> sftp.login("ann", key)).isInstanceOf(IOException.class);
    }

    @Test
    void directoryOfKeysThatIsNotThereOrThatOthersMayWriteIsNamed() throws Exception {
        start(config -> config);
        Path open = Files.createDirectory(directory.resolve("open"));
        Files.setPosixFilePermissions(open, PosixFilePermissions.fromString("rwxrwxrwx"));

        assertThatThrownBy(() -> AuthorizedKeys.in(directory.resolve("none")))
                .hasMessageContaining("--sftp-keys")
                .hasMessageEndingWith("none");
        assertThatThrownBy(() -> AuthorizedKeys.in(open)).hasMessageContaining("chmod go-w");
    }

    @Test
    void pipeInThePlaceOfAFileIsNotWaitedFor() throws Exception {
        start(config -> config.withAccounts(Accounts.of(new Named("ann"))));
        KeyPair key = key();
        Path file = sftp.authorize("ann", key.getPublic());
        Files.delete(file);
        assertThat(new ProcessBuilder("mkfifo", "-m", "600", file.toString())
                        .start()
                        .waitFor())
                .isZero();

        assertThatThrownBy(() -> sftp.login("ann", key)).hasMessageContaining("No more authentication methods");
    }

    @Test
    void keyWithAnOptionThatIsNotKeptIsNotUsed() throws Exception {
        start(config -> config.withAccounts(Accounts.of(new Named("ann"))));
        KeyPair key = key();
        Path file = sftp.authorize("ann", key.getPublic());
        String line = Files.readString(file);
        Files.writeString(file, "from=\"10.0.0.0/8\" " + line);

        assertThatThrownBy(() -> sftp.login("ann", key)).isInstanceOf(IOException.class);

        Files.writeString(file, "restrict,no-pty " + line);
        assertThat(sftp.login("ann", key).isAuthenticated()).isTrue();
    }

    @Test
    void portsAreNotForwarded() throws Exception {
        start(config -> config);
        ClientSession session = sftp.login("ann", "right");
        Duration time = Duration.ofSeconds(10);

        assertThatThrownBy(() -> session.startRemotePortForwarding(
                        new SshdSocketAddress("127.0.0.1", 0), new SshdSocketAddress("127.0.0.1", 1)))
                .isInstanceOf(IOException.class);
        assertThatThrownBy(() -> session.createDirectTcpipChannel(
                                new SshdSocketAddress("127.0.0.1", 0),
                                new SshdSocketAddress("127.0.0.1", sftp.ftp.port))
                        .open()
                        .verify(time))
                .isInstanceOf(IOException.class);
    }

    @Test
    void connectionsOfAnAccountAreLimited() throws Exception {
        start(config -> config.withConnections(10, 10, 1));
        ClientSession first = sftp.login("ann", "right");

        assertThatThrownBy(() -> sftp.login("ann", "right")).isInstanceOf(IOException.class);
        assertThat(logins("busy")).isPositive();
        assertThat(first.isOpen()).isTrue();
    }

    @Test
    void hostKeyStaysAndIsPrivate() throws Exception {
        start(config -> config);
        String fingerprint = sftp.server.fingerprint();

        assertThat(fingerprint).startsWith("SHA256:");
        assertThat(HostKey.in(directory).fingerprint()).isEqualTo(fingerprint);
        Path file = directory.resolve("ssh_host_ed25519_key");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        assertThatThrownBy(() -> HostKey.in(directory)).hasMessageContaining("chmod 600");
    }
}
