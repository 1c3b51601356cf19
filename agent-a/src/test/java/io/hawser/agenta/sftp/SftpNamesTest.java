package io.hawser.agenta.sftp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hawser.agenta.account.Account;
import io.hawser.agenta.account.AccountSource;
import io.hawser.agenta.account.Accounts;
import io.hawser.agenta.account.Permission;
import io.hawser.agenta.custody.CustodyRules;
import io.hawser.agenta.testkit.FtpSettings;
import io.hawser.agenta.testkit.RandomBytes;
import io.hawser.agenta.testkit.SftpFixture;
import io.hawser.core.ftp.FtpPath;
import io.hawser.core.model.ReceiptStatus;
import io.hawser.core.model.TransferKind;
import io.hawser.ops.audit.Audit;
import io.hawser.store.spool.TransferSnapshot;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.apache.sshd.sftp.client.SftpClient;
import org.apache.sshd.sftp.client.SftpClient.CloseableHandle;
import org.apache.sshd.sftp.client.SftpClient.DirEntry;
import org.apache.sshd.sftp.client.SftpClient.OpenMode;
import org.apache.sshd.sftp.client.extensions.openssh.OpenSSHPosixRenameExtension;
import org.apache.sshd.sftp.client.extensions.openssh.OpenSSHStatPathExtension;
import org.apache.sshd.sftp.common.SftpConstants;
import org.apache.sshd.sftp.common.SftpException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Names, listings and downloads over SFTP. */
class SftpNamesTest {
    @TempDir
    Path directory;

    @SuppressWarnings("NullAway.Init") // by start
    private SftpFixture sftp;

    @SuppressWarnings("NullAway.Init") // by start
    private SftpClient client;

    private final List<String> noted = new CopyOnWriteArrayList<>();

    private void start() throws IOException {
        start(config -> config);
        client = sftp.client();
    }

    private void start(UnaryOperator<FtpSettings> config) throws IOException {
        sftp = SftpFixture.start(directory, config);
        sftp.ftp.remote.connect();
        sftp.ftp.audit((who, what, object, from, result) -> noted.add(who + " " + what + " " + object + " " + result));
    }

    @AfterEach
    void stop() {
        sftp.close();
    }

    private void put(String path, byte[] bytes) throws IOException {
        try (OutputStream file = client.write(path)) {
            file.write(bytes);
        }
    }

    private byte[] get(String path) throws IOException {
        try (InputStream file = client.read(path)) {
            return file.readAllBytes();
        }
    }

    private List<String> names(String path) throws IOException {
        return client.readEntries(path).stream()
                .map(DirEntry::getFilename)
                .sorted()
                .toList();
    }

    private List<TransferKind> kinds() {
        return sftp.ftp.spool.all().stream()
                .map(TransferSnapshot::manifest)
                .map(manifest -> manifest.kind())
                .toList();
    }

    private static void hasStatus(Throwable thrown, int status) {
        assertThat(thrown).isInstanceOfSatisfying(SftpException.class, e -> assertThat(e.getStatus())
                .isEqualTo(status));
    }

    @Test
    void fileOnItsWayIsReadFromHere() throws Exception {
        start();
        byte[] bytes = RandomBytes.of(300_000);
        put("/site-b/f", bytes);

        assertThat(get("/site-b/f")).isEqualTo(bytes);
        assertThat(client.stat("/site-b/f").getSize()).isEqualTo(300_000);
        assertThat(names("/site-b")).containsExactly("f");
        assertThat(noted).contains("anonymous put /site-b/f ok", "anonymous get /site-b/f ok");
    }

    @Test
    void fileOfTheFarEndIsReadInAnyOrder() throws Exception {
        start();
        byte[] bytes = RandomBytes.of(1_000_003);
        sftp.ftp.remote.file("f", bytes);
        try (CloseableHandle file = client.open("/site-b/f", OpenMode.Read)) {
            assertThat(client.stat(file).getSize()).isEqualTo(bytes.length);
            for (int at : new int[] {0, 900_000, 65_530, 65_536, 131_000, 3, 500_000, 510_000, 520_000, 0, 999_999}) {
                byte[] read = new byte[10_000];
                int count = client.read(file, at, read);
                assertThat(Arrays.copyOf(read, count))
                        .as("at " + at)
                        .isEqualTo(Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + 10_000)));
            }
            assertThat(client.read(file, bytes.length, new byte[1])).isEqualTo(-1);
        }
        assertThat(get("/site-b/f")).isEqualTo(bytes);
    }

    @Test
    void manyFilesAreReadAtOnce() throws Exception {
        start();
        byte[] bytes = RandomBytes.of(500_000);
        sftp.ftp.remote.file("far", bytes);
        put("/site-b/own", bytes);
        List<CloseableHandle> files = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            files.add(client.open(i % 2 == 0 ? "/site-b/far" : "/site-b/own", OpenMode.Read));
        }
        byte[] read = new byte[30_000];
        for (int at = 0; at < bytes.length; at += 30_000) {
            for (CloseableHandle file : files) {
                int count = client.read(file, at, read);
                assertThat(Arrays.copyOf(read, count))
                        .isEqualTo(Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + 30_000)));
            }
        }
        for (CloseableHandle file : files) {
            file.close();
        }
    }

    @Test
    void whatIsNotThereIsNoSuchFile() throws Exception {
        start();
        assertThatThrownBy(() -> client.stat("/site-b/none"))
                .satisfies(e -> hasStatus(e, SftpConstants.SSH_FX_NO_SUCH_FILE));
        assertThatThrownBy(() -> client.open("/site-b/none", OpenMode.Read))
                .satisfies(e -> hasStatus(e, SftpConstants.SSH_FX_NO_SUCH_FILE));
        assertThatThrownBy(() -> client.remove("/site-b/none"))
                .satisfies(e -> hasStatus(e, SftpConstants.SSH_FX_NO_SUCH_FILE));
        sftp.ftp.remote.disconnect();
        assertThatThrownBy(() -> client.stat("/site-b/other"))
                .as("the far end alone knows")
                .satisfies(e -> hasStatus(e, SftpConstants.SSH_FX_FAILURE));
    }

    @Test
    void namesAreChanged() throws Exception {
        start();
        client.mkdir("/site-b/d");
        put("/site-b/d/f", RandomBytes.of(10));
        client.rename("/site-b/d/f", "/site-b/d/g");
        assertThat(names("/site-b/d")).containsExactly("g");
        assertThatThrownBy(() -> client.rmdir("/site-b/d")).hasMessageContaining("not empty");
        assertThatThrownBy(() -> client.mkdir("/site-b/d")).hasMessageContaining("exists");
        client.remove("/site-b/d/g");
        assertThat(names("/site-b/d")).isEmpty();

        assertThat(kinds()).contains(TransferKind.MAKE_DIRECTORY, TransferKind.RENAME, TransferKind.DELETE);
        assertThat(noted)
                .contains("anonymous mkdir /site-b/d ok", "anonymous rename /site-b/d/f -> /site-b/d/g ok")
                .anyMatch(note -> note.startsWith("anonymous rmdir /site-b/d Directory not empty"));
    }

    @Test
    void renameReplacesOnlyWhereTheClientSaysSo() throws Exception {
        start();
        put("/site-b/a", RandomBytes.of(10));
        put("/site-b/b", RandomBytes.of(20));

        assertThatThrownBy(() -> client.rename("/site-b/a", "/site-b/b")).hasMessageContaining("File exists");
        assertThat(client.stat("/site-b/b").getSize()).isEqualTo(20);
        OpenSSHPosixRenameExtension posix = client.getExtension(OpenSSHPosixRenameExtension.class);
        posix.posixRename("/site-b/a", "/site-b/b");

        assertThat(client.stat("/site-b/b").getSize()).isEqualTo(10);
    }

    @Test
    void attributesOfPathsAreSet() throws Exception {
        start();
        put("/site-b/f", RandomBytes.of(10));
        SftpClient.Attributes attributes = new SftpClient.Attributes();
        attributes.perms(0640);
        attributes.modifyTime(1_000_000_000);
        attributes.accessTime(1_000_000_000);
        client.setStat("/site-b/f", attributes);
        client.setStat("/site-b/f", new SftpClient.Attributes().size(0));

        assertThat(kinds())
                .containsExactly(TransferKind.FILE, TransferKind.SET_MODE, TransferKind.SET_TIME, TransferKind.FILE);
        assertThat(client.stat("/site-b/f").getSize()).isZero();
        assertThatThrownBy(() -> client.setStat("/site-b/f", new SftpClient.Attributes().size(7)))
                .hasMessageContaining("other sizes cannot be set");
        assertThatThrownBy(() -> client.setStat("/site-b/f", new SftpClient.Attributes().owner(1, 1)))
                .satisfies(e -> hasStatus(e, SftpConstants.SSH_FX_PERMISSION_DENIED));
    }

    @Test
    void spaceIsTold() throws Exception {
        start();
        var space = client.getExtension(OpenSSHStatPathExtension.class).stat("/");

        assertThat(space.f_bsize * space.f_bavail).isPositive();
    }

    private void startWith(Permission... permissions) throws IOException {
        Account account = new Account("ann", FtpPath.ROOT, Set.of(permissions), null);
        AccountSource source = (name, password) ->
                name.equals("ann") && password.equals("right") ? Optional.of(account) : Optional.empty();
        start(config -> config.withAccounts(Accounts.of(source)));
        client = SftpFixture.client(sftp.login("ann", "right"));
    }

    @Test
    void accountThatOnlyReadsChangesNothing() throws Exception {
        startWith(Permission.READ, Permission.LIST);
        sftp.ftp.remote.file("f", RandomBytes.of(10));

        assertThat(get("/site-b/f")).hasSize(10);
        for (ThrowingCallable change : List.<ThrowingCallable>of(
                () -> put("/site-b/g", new byte[1]),
                () -> client.mkdir("/site-b/d"),
                () -> client.remove("/site-b/f"),
                () -> client.rmdir("/site-b/f"),
                () -> client.rename("/site-b/f", "/site-b/g"),
                () -> client.setStat("/site-b/f", new SftpClient.Attributes().size(0)))) {
            assertThatThrownBy(change).satisfies(e -> hasStatus(e, SftpConstants.SSH_FX_PERMISSION_DENIED));
        }
        assertThat(sftp.ftp.spool.all()).isEmpty();
    }

    @Test
    void accountThatOnlyWritesIsToldNothing() throws Exception {
        startWith(Permission.WRITE);
        sftp.ftp.remote.file("f", RandomBytes.of(10));
        put("/site-b/g", RandomBytes.of(10));

        for (String path : new String[] {"/site-b/f", "/site-b/none"}) {
            assertThatThrownBy(() -> client.stat(path))
                    .satisfies(e -> hasStatus(e, SftpConstants.SSH_FX_PERMISSION_DENIED));
            assertThatThrownBy(() -> get(path)).satisfies(e -> hasStatus(e, SftpConstants.SSH_FX_PERMISSION_DENIED));
        }
        assertThatThrownBy(() -> client.openDir("/site-b"))
                .satisfies(e -> hasStatus(e, SftpConstants.SSH_FX_PERMISSION_DENIED));
    }

    @Test
    void closeWaitsForTheCustodyLevel() throws Exception {
        start(config -> config.withCustody(CustodyRules.parse("delivered")).withCustodyTime(Duration.ofSeconds(30)));
        client = sftp.client();
        CompletableFuture<Void> done = CompletableFuture.runAsync(() -> {
            try {
                put("/site-b/f", RandomBytes.of(10));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
        Awaitility.await().until(() -> sftp.ftp.spool.all().stream().anyMatch(state -> state.commit() != null));
        assertThat(done).isNotDone();
        var key = sftp.ftp.spool.newest().key();
        sftp.ftp.spool.brokered(key, "site-b");
        sftp.ftp.spool.receipt(key, "site-b", ReceiptStatus.DELIVERED, "");

        done.get(20, TimeUnit.SECONDS);
    }

    @Test
    void closeSaysWhenTheCustodyLevelIsNotReached() throws Exception {
        start(config -> config.withCustody(CustodyRules.parse("delivered")).withCustodyTime(Duration.ofMillis(100)));
        client = sftp.client();

        assertThatThrownBy(() -> put("/site-b/f", RandomBytes.of(10)))
                .hasMessageContaining("spooled, but not yet delivered");
        assertThat(noted).noneMatch(note -> note.equals("anonymous put /site-b/f " + Audit.OK));
    }
}
