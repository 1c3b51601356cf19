package io.hawser.agenta.account;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.hawser.agenta.custody.CustodyLevel;
import io.hawser.core.config.ConfigException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The users file and the logins that it allows. */
class FileAccountsTest {
    private static final int FAST = 1000;

    @TempDir
    Path directory;

    private Path file;

    @BeforeEach
    void file() {
        file = directory.resolve("users");
    }

    private static UserEntry user(String name, String password) {
        return new UserEntry(
                new Account(
                        name,
                        UserEntry.root("/site-b/" + name),
                        Set.of(Permission.READ, Permission.LIST),
                        CustodyLevel.LANDED),
                PasswordHash.of(password, FAST));
    }

    private void write(UserEntry... users) throws Exception {
        new UsersFile(file).write(List.of(users));
    }

    @Test
    void aPipeInThePlaceOfTheFileIsNotWaitedFor() throws Exception {
        write(user("anna", "secret"));
        FileAccounts accounts = new FileAccounts(file, FAST);
        Files.delete(file);
        assertThat(new ProcessBuilder("mkfifo", "-m", "600", file.toString())
                        .start()
                        .waitFor())
                .isZero();

        assertThat(assertTimeoutPreemptively(Duration.ofMinutes(1), () -> accounts.authenticate("anna", "secret")))
                .isPresent();

        Files.delete(file);
        write(user("bob", "other"));
        assertThat(accounts.authenticate("anna", "secret")).isEmpty();
    }

    @Test
    void aFileThatCannotBeUsedIsAProblemUntilItCan() throws Exception {
        write(user("anna", "secret"));
        Accounts accounts = Accounts.of(new FileAccounts(file, FAST));
        assertThat(accounts.problem()).isEmpty();

        Path aside = Files.move(file, directory.resolve("aside"));
        assertThat(accounts.authenticate("anna", "secret")).isPresent();
        assertThat(accounts.problem()).hasValueSatisfying(problem -> assertThat(problem)
                .contains(file.toString(), "the previous accounts stay in force"));
        Files.move(aside, file);
        assertThat(accounts.authenticate("anna", "secret")).isPresent();
        assertThat(accounts.problem()).isEmpty();

        Files.writeString(file, "nonsense");
        assertThat(accounts.authenticate("anna", "secret")).isPresent();
        assertThat(accounts.problem()).hasValueSatisfying(problem -> assertThat(problem)
                .contains("line 1", "the previous accounts stay in force"));
        write(user("anna", "secret"));
        assertThat(accounts.authenticate("anna", "secret")).isPresent();
        assertThat(accounts.problem()).isEmpty();
    }

    @Test
    void rightPasswordOpensItsAccountAlone() throws Exception {
        write(user("anna", "secret"), user("bob", "other"));
        FileAccounts accounts = new FileAccounts(file, FAST);

        for (int i = 0; i < 2; i++) { // the second time by what is remembered
            assertThat(accounts.authenticate("anna", "secret")).get().satisfies(account -> {
                assertThat(account.name()).isEqualTo("anna");
                assertThat(account.root().segments()).containsExactly("site-b", "anna");
                assertThat(account.may(Permission.READ)).isTrue();
                assertThat(account.may(Permission.WRITE)).isFalse();
                assertThat(account.custody()).isEqualTo(CustodyLevel.LANDED);
            });
            assertThat(accounts.authenticate("anna", "other")).isEmpty();
            assertThat(accounts.authenticate("carl", "secret")).isEmpty();
            assertThat(accounts.authenticate("carl", "")).isEmpty();
        }
    }

    @Test
    void changedFileIsReadAgain() throws Exception {
        write(user("anna", "secret"));
        FileAccounts accounts = new FileAccounts(file, FAST);
        assertThat(accounts.authenticate("anna", "secret")).isPresent();

        write(user("anna", "new"));

        assertThat(accounts.authenticate("anna", "secret")).isEmpty();
        assertThat(accounts.authenticate("anna", "new")).isPresent();
    }

    @Test
    void changedFileThatCannotBeUsedChangesNothing() throws Exception {
        write(user("anna", "secret"));
        FileAccounts accounts = new FileAccounts(file, FAST);

        Files.writeString(file, "nonsense\n");
        assertThat(accounts.authenticate("anna", "secret")).isPresent();
        Files.delete(file);
        assertThat(accounts.authenticate("anna", "secret")).isPresent();
    }

    @Test
    void fileThatOthersMayReadIsRefused() throws Exception {
        write(user("anna", "secret"));
        assertThat(Files.getPosixFilePermissions(file)).isEqualTo(PosixFilePermissions.fromString("rw-------"));

        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));

        assertThatThrownBy(() -> new FileAccounts(file, FAST))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("chmod 600");
    }

    @Test
    void everyBadLineIsNamedAndNoHashIsShown() throws Exception {
        String hash = PasswordHash.of("x", 1).toString();
        Files.createFile(file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.writeString(
                file,
                String.join(
                        "\n",
                        "# a comment",
                        "",
                        "short:line",
                        "a:" + hash + ":rwx::/",
                        "b:" + hash + ":r:soon:/",
                        "c:" + hash + ":r::relative",
                        "d:plain:r::/",
                        "anonymous:" + hash + ":r::/",
                        "e:" + hash + ":r::/",
                        "e:" + hash + ":r::/"));

        assertThatThrownBy(() -> new FileAccounts(file, FAST))
                .hasMessageContainingAll("line 3", "line 4", "line 5", "line 6", "line 7", "line 8", "line 10")
                .satisfies(e -> assertThat(e.getMessage()).doesNotContain(hash).doesNotContain("line 9"));
    }

    @Test
    void lineIsReadAsItWasWritten() throws Exception {
        UserEntry entry = user("anna", "secret");

        UserEntry again = UserEntry.parse(entry.line());

        assertThat(again.account()).isEqualTo(entry.account());
        assertThat(again.line()).isEqualTo(entry.line());
        assertThat(again.password().matches("secret")).isTrue();
        assertThat(again.password().matches("secreT")).isFalse();
    }

    @Test
    void hashIsTheOneOfTheStandard() {
        // RFC 7914 section 11: PBKDF2-HMAC-SHA-256, P="Password", S="NaCl", c=80000, the first 32 bytes of DK.
        byte[] key =
                java.util.HexFormat.of().parseHex("4ddcd8f60b98be21830cee5ef22701f9641a4418d04c0414aeff08876b34ab56");
        String text = "pbkdf2-sha256$80000$"
                + java.util.Base64.getEncoder()
                        .encodeToString("NaCl".getBytes(java.nio.charset.StandardCharsets.US_ASCII))
                + "$" + java.util.Base64.getEncoder().encodeToString(key);

        assertThat(PasswordHash.parse(text).matches("Password")).isTrue();
    }

    @Test
    void fileIsReplacedWithinOneMillisecondToo() throws Exception {
        write(user("anna", "secret"));
        FileTime time = Files.getLastModifiedTime(file);
        FileAccounts accounts = new FileAccounts(file, FAST);

        write(user("anna", "secreT"));
        Files.setLastModifiedTime(file, time);

        assertThat(accounts.authenticate("anna", "secreT")).isPresent();
    }

    /** The bytes of version 1; the hashes were computed by another program. */
    @Test
    void aFileOfVersionOneIsReadAndWrittenAgainAsItWas() throws Exception {
        byte[] golden;
        try (InputStream in = FileAccountsTest.class.getResourceAsStream("/golden/v1/users")) {
            golden = in.readAllBytes();
        }
        Files.write(file, golden);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        FileAccounts accounts = new FileAccounts(file, FAST);
        assertThat(accounts.authenticate("anna", "secret")).isPresent();
        assertThat(accounts.authenticate("bob@example.org", "p\u00e4ssw\u00f6rt"))
                .isPresent();
        assertThat(accounts.authenticate("bob@example.org", "secret")).isEmpty();

        UsersFile users = new UsersFile(file);
        users.write(users.read().values());
        assertThat(file).hasBinaryContent(golden);
    }

    @Test
    void aHashOfAnotherKindIsRefusedWithItsLineAndTheFileStays() throws Exception {
        String later = "anna:argon2id$1$AAAA$AAAA:rl::/\n";
        Files.writeString(file, later);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));

        assertThatThrownBy(() -> new FileAccounts(file, FAST))
                .isInstanceOf(ConfigException.class)
                .hasMessageContaining("line 1")
                .hasMessageContaining("pbkdf2-sha256");
        assertThat(file).hasContent(later);
    }
}
