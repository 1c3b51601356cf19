package io.hawser.agenta.testkit;

import io.hawser.agenta.ftp.control.FtpLimits;
import io.hawser.agenta.sftp.SftpConfig;
import io.hawser.agenta.sftp.SftpServer;
import io.hawser.agenta.sftp.session.SftpPolicy;
import io.hawser.agenta.sftp.ssh.SshLimits;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPair;
import java.security.PublicKey;
import java.time.Duration;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.apache.sshd.client.SshClient;
import org.apache.sshd.client.session.ClientSession;
import org.apache.sshd.common.config.keys.PublicKeyEntry;
import org.apache.sshd.sftp.client.SftpClient;
import org.apache.sshd.sftp.client.SftpClientFactory;

/** An SFTP server in this process over an {@link FtpFixture}, with clients of MINA. */
public final class SftpFixture implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    public final FtpFixture ftp;
    public final SftpServer server;
    private final Path keys;
    private final SshClient ssh = SshClient.setUpDefaultClient();

    private SftpFixture(Path directory, FtpFixture ftp) throws IOException {
        this.ftp = ftp;
        this.keys = Files.createDirectories(directory.resolve("keys"));
        Files.setPosixFilePermissions(keys, PosixFilePermissions.fromString("rwx------"));
        FtpLimits limits = ftp.config.limits();
        SshLimits bounds = new SshLimits(
                limits.sessions().max(),
                limits.sessions().ofPeer(),
                limits.sessions().ofAccount(),
                limits.sessions().notLoggedIn(),
                limits.login().time(),
                limits.login().failureDelay(),
                limits.login().maxFailures());
        SftpPolicy policy = new SftpPolicy(
                ftp.config.sessions().custody(),
                limits.times().custody(),
                limits.times().evidenceWindow());
        this.server = new SftpServer(
                new SftpConfig(new InetSocketAddress("127.0.0.1", 0), Optional.of(keys), bounds, policy),
                directory,
                ftp.loop(),
                ftp.files,
                ftp.clients());
        server.start();
        ssh.setServerKeyVerifier((session, address, key) -> true);
        ssh.start();
    }

    /** {@code directory}: the host key, and the directory {@code keys}. */
    public static SftpFixture start(Path directory, UnaryOperator<FtpSettings> config) throws IOException {
        return new SftpFixture(directory, FtpFixture.start(config));
    }

    /** The file with the keys of {@code account}, which opens with {@code key}. */
    public Path authorize(String account, PublicKey key) throws IOException {
        Path file = keys.resolve(account);
        Files.writeString(file, PublicKeyEntry.toString(key) + " a comment\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        return file;
    }

    /** A connection that has not logged in. */
    public ClientSession connect(String user) throws IOException {
        InetSocketAddress address = server.address().orElseThrow();
        return ssh.connect(user, address).verify(PATIENCE).getSession();
    }

    /** A connection that is logged in. */
    public ClientSession login(String user, String password) throws IOException {
        ClientSession session = connect(user);
        session.addPasswordIdentity(password);
        session.auth().verify(PATIENCE);
        return session;
    }

    /** The same by key. */
    public ClientSession login(String user, KeyPair key) throws IOException {
        ClientSession session = connect(user);
        session.addPublicKeyIdentity(key);
        session.auth().verify(PATIENCE);
        return session;
    }

    /** A client of anybody. */
    public SftpClient client() throws IOException {
        return client(login("anonymous", "x"));
    }

    public static SftpClient client(ClientSession session) throws IOException {
        return SftpClientFactory.instance().createSftpClient(session);
    }

    @Override
    public void close() {
        ssh.stop();
        server.close();
        ftp.close();
    }
}
