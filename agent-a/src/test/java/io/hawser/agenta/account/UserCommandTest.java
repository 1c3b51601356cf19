package io.hawser.agenta.account;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.ptcp.testkit.TestTimes;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class UserCommandTest {
    @TempDir
    Path directory;

    private final StringWriter out = new StringWriter();

    private int run(String... arguments) {
        CommandLine line = new CommandLine(new UserCommand());
        line.setOut(new PrintWriter(out));
        line.setErr(new PrintWriter(out));
        return line.execute(arguments);
    }

    private String secret(String name, String text) throws IOException {
        Path file = Files.writeString(directory.resolve(name), text);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        return file.toString();
    }

    @Test
    void passwordFileThatOthersCanReadIsRefused() throws Exception {
        Path users = directory.resolve("users");
        String password = secret("password", "x\n");
        Files.setPosixFilePermissions(Path.of(password), PosixFilePermissions.fromString("rw-r-----"));

        assertThat(run("add", "anna", "--users", users.toString(), "--password-file", password))
                .isNotZero();

        assertThat(out.toString()).contains(password + " can be read or written by others (rw-r-----): chmod 600");
        assertThat(users).doesNotExist();
    }

    /** The README's command on a fresh machine: nobody has made /etc/hawser there. */
    @Test
    void theDirectoryOfTheFirstUsersFileIsMadeForItsOwnerAlone() throws Exception {
        Path users = directory.resolve("etc/hawser/users");
        String password = secret("password", "x\n");

        assertThat(run("add", "anna", "--users", users.toString(), "--password-file", password))
                .isZero();

        assertThat(users).exists();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(users.getParent())))
                .isEqualTo("rwx------");
    }

    @Test
    void aDirectoryThatCannotBeMadeIsNamed() throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "x");
        String password = secret("password", "x\n");

        assertThat(run("add", "anna", "--users", file.resolve("users").toString(), "--password-file", password))
                .isNotZero();

        assertThat(out.toString()).contains("cannot make " + file);
    }

    @Test
    void usersAreAddedChangedListedAndRemoved() throws Exception {
        String users = directory.resolve("users").toString();
        String one = secret("one", "first\nnot this\n");
        String two = secret("two", "second\n");

        assertThat(run(
                        "add",
                        "anna",
                        "--users",
                        users,
                        "--password-file",
                        one,
                        "--root",
                        "/site-b/anna",
                        "--permissions",
                        "rwl",
                        "--custody",
                        "landed"))
                .as(out::toString)
                .isZero();
        assertThat(new FileAccounts(Path.of(users)).authenticate("anna", "first"))
                .isPresent();
        assertThat(run("passwd", "anna", "--users", users, "--password-file", two))
                .isZero();
        assertThat(new FileAccounts(Path.of(users)).authenticate("anna", "first"))
                .isEmpty();
        assertThat(new FileAccounts(Path.of(users)).authenticate("anna", "second"))
                .isPresent();
        assertThat(run("list", "--users", users)).isZero();
        assertThat(out.toString()).contains("anna\trwl\tlanded\t/site-b/anna").doesNotContain("pbkdf2");
        assertThat(run("list", "--users", users, "--json")).isZero();
        assertThat(out.toString()).contains("\"custody\" : \"landed\"", "\"root\" : \"/site-b/anna\"");
        assertThat(run("add", "anna", "--users", users, "--password-file", one)).isNotZero();
        assertThat(run("remove", "anna", "--users", users)).isZero();
        assertThat(run("remove", "anna", "--users", users)).isNotZero();
        assertThat(Files.readString(Path.of(users))).doesNotContain("anna");
    }

    @ParameterizedTest
    @ValueSource(strings = {"list", "passwd anna", "remove anna"})
    void aFileThatIsNotThereHasNoUsersAndIsNotMade(String line) {
        Path users = directory.resolve("users");
        List<String> words = new ArrayList<>(List.of(line.split(" ")));
        words.addAll(List.of("--users", users.toString()));

        assertThat(run(words.toArray(String[]::new))).isEqualTo(1);

        assertThat(out.toString()).contains("there is no " + users + "; 'hawser user add NAME --users " + users + "'");
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void changesAtOnceLoseNoAccount() throws Exception {
        Path users = directory.resolve("users");
        String password = secret("p", "x\n");
        List<CompletableFuture<Integer>> adding = new ArrayList<>();
        try (FileChannel other = FileChannel.open(
                directory.resolve("users.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            assertThat(other.lock()).isNotNull();
            for (int i = 0; i < 3; i++) {
                String name = "user" + i;
                adding.add(CompletableFuture.supplyAsync(
                        () -> run("add", name, "--users", users.toString(), "--password-file", password),
                        task -> new Thread(task).start()));
            }
            // All three are behind the same door, which this other channel holds.
            assertThat(CompletableFuture.anyOf(adding.toArray(CompletableFuture[]::new)))
                    .failsWithin(Duration.ofMillis(1500))
                    .withThrowableOfType(TimeoutException.class);
            assertThat(users).doesNotExist();
        }

        for (CompletableFuture<Integer> added : adding) {
            assertThat(added.get(TestTimes.SECONDS, TimeUnit.SECONDS))
                    .as(out::toString)
                    .isZero();
        }
        assertThat(new UsersFile(users).read()).containsOnlyKeys("user0", "user1", "user2");
    }

    @Test
    void badSettingsAreRefusedAndNothingIsWritten() throws Exception {
        Path users = directory.resolve("users");
        String password = secret("p", "x\n");
        String empty = secret("e", "\n");

        String file = users.toString();
        assertThat(run("add", "a:b", "--users", file, "--password-file", password))
                .isNotZero();
        assertThat(run("add", "ftp", "--users", file, "--password-file", password))
                .isNotZero();
        assertThat(run("add", "a", "--users", file, "--password-file", password, "--permissions", "q"))
                .isNotZero();
        assertThat(run("add", "a", "--users", file, "--password-file", password, "--root", "x"))
                .isNotZero();
        assertThat(run("add", "a", "--users", file, "--password-file", empty)).isNotZero();
        assertThat(users).doesNotExist();
    }
}
