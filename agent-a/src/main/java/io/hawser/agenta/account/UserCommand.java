package io.hawser.agenta.account;

import io.hawser.agenta.custody.CustodyLevel;
import io.hawser.ops.cli.CommandException;
import io.hawser.ops.cli.CommandSection;
import io.hawser.ops.cli.ExitCode;
import io.hawser.ops.cli.Subcommand;
import io.hawser.ops.observe.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code hawser user}: the accounts in a users file.
 *
 * <p>Thread: main only.
 */
@Command(
        name = "user",
        header = "Manage the accounts of FTP clients.",
        description = {
            "The accounts of agent-a's FTP clients, in a file that only its owner may read.",
            "A password is asked for at the terminal, or is the first line of --password-file or of the standard input."
        },
        subcommands = {
            UserCommand.Add.class,
            UserCommand.ChangePassword.class,
            UserCommand.Remove.class,
            UserCommand.ListUsers.class
        },
        footer = {
            "",
            "Example:  hawser user add anna --users /etc/hawser/users \\",
            "              --root /site-b/anna --permissions rwl",
            "          hawser agent-a --ftp 0.0.0.0:2121 --users /etc/hawser/users"
        })
public final class UserCommand implements Subcommand {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it
    private CommandSpec spec;

    @Override
    public CommandSection section() {
        return CommandSection.SECURE;
    }

    @Override
    public Integer call() {
        spec.commandLine().usage(spec.commandLine().getErr());
        return ExitCode.USAGE.code();
    }

    /** What all of them share. A running agent-a sees a change at the next login. */
    abstract static class Task implements Callable<Integer> {
        @Spec
        @SuppressWarnings("NullAway.Init") // picocli sets it
        CommandSpec spec;

        @Option(names = "--users", paramLabel = "FILE", required = true, description = "the users file")
        @SuppressWarnings("NullAway.Init") // picocli sets it
        Path file;

        @Override
        public Integer call() throws IOException {
            UsersFile usersFile = new UsersFile(file);
            prepare(read(usersFile));
            UsersFileLock lock = UsersFileLock.of(file);
            try {
                Map<String, UserEntry> users = read(usersFile);
                change(users);
                usersFile.write(users.values());
            } finally {
                lock.close();
            }
            return ExitCode.OK.code();
        }

        final Map<String, UserEntry> read(UsersFile users) {
            if (users.exists()) {
                return users.read();
            } else if (makesFile()) {
                users.makeDirectory(); // before a password is asked for
            } else {
                throw new CommandException(
                        ExitCode.FAILED,
                        "there is no " + file + "; 'hawser user add NAME --users " + file + "' makes it");
            }
            return new LinkedHashMap<>();
        }

        boolean makesFile() {
            return false;
        }

        /** Refuses what cannot be, and asks for what is needed: no other process waits while a user types. */
        void prepare(Map<String, UserEntry> users) throws IOException {}

        /** Does it to what the file holds now; no other process changes it meanwhile. */
        void change(Map<String, UserEntry> users) {}
    }

    /** What those share that are about one user. */
    abstract static class TaskOfUser extends Task {
        @Parameters(paramLabel = "NAME", description = "the user's name")
        @SuppressWarnings("NullAway.Init") // picocli sets it
        String name;

        UserEntry existing(Map<String, UserEntry> users) {
            UserEntry entry = users.get(name);
            if (entry == null) {
                throw new CommandException(ExitCode.FAILED, "there is no user " + name);
            }
            return entry;
        }
    }

    /** {@code hawser user add}. */
    @Command(
            name = "add",
            description = "Adds a user.",
            footer = {
                "",
                "Example:  hawser user add anna --users /etc/hawser/users \\",
                "              --root /site-b/anna --permissions rwl"
            })
    static final class Add extends TaskOfUser {
        @Option(
                names = "--root",
                paramLabel = "DIR",
                defaultValue = "/",
                description = "the directory that is the user's root (default: /)")
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private String root;

        @Option(
                names = "--permissions",
                paramLabel = "LETTERS",
                defaultValue = "rwld",
                description = "of rwld: read, write, list, delete (default: rwld)")
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private String permissions;

        @Option(
                names = "--custody",
                paramLabel = "LEVEL",
                description =
                        "spooled, brokered, landed or delivered: when its uploads get their final reply; without it"
                                + " agent-a's --custody decides")
        private @Nullable String custody;

        @Mixin
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private NewPasswordOption password;

        private @Nullable UserEntry added;

        @Override
        boolean makesFile() {
            return true;
        }

        @Override
        void prepare(Map<String, UserEntry> users) throws IOException {
            refuseExisting(users);
            try {
                Account account = new Account(
                        name,
                        UserEntry.root(root),
                        Permission.parse(permissions),
                        custody == null ? null : CustodyLevel.parse(custody));
                UserEntry checked = new UserEntry(account, PasswordHash.of("", 1)); // before a password is asked for
                added = checked.withPassword(password.ask());
            } catch (IllegalArgumentException e) {
                throw new CommandException(ExitCode.USAGE, String.valueOf(e.getMessage()), e);
            }
        }

        @Override
        void change(Map<String, UserEntry> users) {
            refuseExisting(users);
            users.put(name, Objects.requireNonNull(added));
        }

        private void refuseExisting(Map<String, UserEntry> users) {
            if (users.containsKey(name)) {
                throw new CommandException(ExitCode.FAILED, "there is a user " + name + " already");
            }
        }
    }

    /** {@code hawser user passwd}. */
    @Command(
            name = "passwd",
            description = "Changes a user's password.",
            footer = {"", "Example:  hawser user passwd anna --users /etc/hawser/users"})
    static final class ChangePassword extends TaskOfUser {
        @Mixin
        @SuppressWarnings("NullAway.Init") // picocli sets it
        private NewPasswordOption password;

        private @Nullable PasswordHash hash;

        @Override
        void prepare(Map<String, UserEntry> users) throws IOException {
            var unused = existing(users);
            hash = password.ask();
        }

        @Override
        void change(Map<String, UserEntry> users) {
            users.put(name, existing(users).withPassword(Objects.requireNonNull(hash)));
        }
    }

    /** {@code hawser user remove}. */
    @Command(
            name = "remove",
            description = "Removes a user. A session of his that is open goes on until it ends.",
            footer = {"", "Example:  hawser user remove anna --users /etc/hawser/users"})
    static final class Remove extends TaskOfUser {
        @Override
        void change(Map<String, UserEntry> users) {
            users.remove(existing(users).account().name());
        }
    }

    /** {@code hawser user list}. */
    @Command(
            name = "list",
            description = "Lists the users: name, permissions, custody level and root.",
            footer = {"", "Example:  hawser user list --users /etc/hawser/users --json"})
    static final class ListUsers extends Task {
        /** A user as --json prints it; the custody level is empty where agent-a's decides. */
        record Line(String name, String permissions, String custody, String root) {}

        @Option(names = "--json", description = "print JSON")
        private boolean json;

        @Override
        public Integer call() {
            PrintWriter out = spec.commandLine().getOut();
            List<Line> lines = read(new UsersFile(file)).values().stream()
                    .map(user -> new Line(
                            user.account().name(),
                            Permission.letters(user.account().permissions()),
                            user.custodyText(),
                            user.rootPath()))
                    .toList();
            if (json) {
                out.println(Json.text(lines));
            } else {
                lines.forEach(line -> out.println(String.join(
                        "\t",
                        line.name(),
                        line.permissions(),
                        line.custody().isEmpty() ? "-" : line.custody(),
                        line.root())));
            }
            return ExitCode.OK.code();
        }
    }
}
