package io.hawser.ops.cli;

import io.hawser.core.config.Config;
import io.hawser.core.config.ConfigException;
import io.hawser.core.config.ConfigKey;
import io.hawser.core.config.SettingNames;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/**
 * The main class of the {@code hawser} command.
 *
 * <p>Thread: main only.
 */
@Command(
        name = "hawser",
        description = "Moves files reliably over parallel TCP: from FTP clients and programs by a broker to far ends.",
        synopsisSubcommandLabel = "COMMAND",
        footer = {
            "",
            "'hawser help COMMAND' shows the flags of a command.",
            "A flag --some-name is also the variable HAWSER_SOME_NAME, and a line of --config.",
            "HAWSER_LOG=debug|info|warn|error and HAWSER_DEBUG=1 (stack traces) show more."
        })
public final class Hawser {
    Hawser() {}

    /** Runs one command and ends the JVM with its exit code. */
    public static void main(String[] args) {
        LogSetup.apply(args.length == 0 ? "" : args[0], System.getenv("HAWSER_LOG"), isDebug());
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        int code;
        try {
            code = run(ServiceLoader.load(Subcommand.class), System.getenv(), out, err, args);
        } catch (
                Throwable
                        e) { // an Error, which picocli lets through: the JVM ends all the same, but says why in a line
            code = Errors.report(e, err);
        }
        System.exit(afterOutput(code, out, err));
    }

    /** Writes what is left of {@code out}. A success whose result could not be written is none. Returns the exit code. */
    static int afterOutput(int code, PrintWriter out, PrintWriter err) {
        if (!out.checkError() || code != ExitCode.OK.code()) {
            return code;
        }
        err.println(
                "hawser: standard output could not be written, so the result is incomplete; what the command did stays"
                        + " done. Is the disk full, or has the program that reads it ended?");
        return ExitCode.FAILED.code();
    }

    /** Runs one command in this process and returns its exit code. */
    public static int run(
            Iterable<Subcommand> commands,
            Map<String, String> environment,
            PrintWriter out,
            PrintWriter err,
            String... args) {
        Map<String, Subcommand> byName = new LinkedHashMap<>();
        commands.forEach(command -> byName.put(CommandTree.name(command), command));
        Map<String, List<? extends ConfigKey<?>>> keys = new HashMap<>();
        byName.forEach((name, command) -> keys.put(name, command.keys()));
        return CommandTree.of(asked(byName, args))
                .setOut(out)
                .setErr(err)
                .setParameterExceptionHandler((e, given) -> UsageErrors.report(e, err))
                .setExecutionExceptionHandler((e, where, result) -> Errors.report(e, err))
                .setExecutionStrategy(result -> execute(result, environment, new SettingNames(keys)))
                .execute(args);
    }

    /** The command that is asked for: picocli's model of all takes longer than most of them run. All, for what shows several. */
    private static Collection<Subcommand> asked(Map<String, Subcommand> byName, String... args) {
        Subcommand first = args.length == 0 ? null : byName.get(args[0]);
        return first == null || first.section() == CommandSection.HELP ? byName.values() : List.of(first);
    }

    static boolean isDebug() {
        return "1".equals(System.getenv("HAWSER_DEBUG"));
    }

    private static int execute(ParseResult result, Map<String, String> environment, SettingNames known) {
        Integer help = CommandLine.executeHelpRequest(result);
        if (help != null) {
            return help;
        }
        ParseResult last = result;
        while (last.hasSubcommand()) {
            last = last.subcommand();
        }
        CommandSpec spec = last.commandSpec();
        if (spec.userObject() instanceof Hawser) {
            spec.commandLine().usage(spec.commandLine().getErr());
            return ExitCode.USAGE.code();
        }
        List<String> problems = known.problemsOf(environment);
        if (!problems.isEmpty()) {
            return Errors.report(
                    new ConfigException(problems), spec.commandLine().getErr());
        }
        if (spec.userObject() instanceof Subcommand command) {
            try {
                Config values = config(spec.name(), command.keys(), last, environment, known);
                if (command.keys().contains(CommonNodeFlags.LOG_FORMAT)) {
                    LogSetup.use(values.get(CommonNodeFlags.LOG_FORMAT));
                }
                command.configure(values);
            } catch (ConfigException e) {
                return Errors.report(e, spec.commandLine().getErr());
            }
        }
        return new CommandLine.RunLast().execute(result);
    }

    private static Config config(
            String command,
            List<? extends ConfigKey<?>> keys,
            ParseResult result,
            Map<String, String> environment,
            SettingNames known) {
        Map<String, String> flags = new HashMap<>();
        for (ConfigKey<?> key : keys) {
            String given = result.matchedOptionValue(key.flag(), (@Nullable String) null);
            if (given != null) {
                flags.put(key.name(), given);
            }
        }
        Optional<String> file = keys.isEmpty()
                ? Optional.empty()
                : Optional.<String>ofNullable(
                                result.matchedOptionValue(CommandTree.CONFIG_OPTION, (@Nullable String) null))
                        .or(() -> Optional.ofNullable(environment.get("HAWSER_CONFIG")));
        return Config.of(
                command,
                keys,
                flags,
                environment,
                file.map(Path::of).map(Config::readFile).orElse(Map.of()),
                known);
    }
}
