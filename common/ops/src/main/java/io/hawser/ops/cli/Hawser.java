package io.hawser.ops.cli;

import io.hawser.core.config.Config;
import io.hawser.core.config.ConfigException;
import io.hawser.core.config.ConfigKey;
import io.hawser.core.config.KnownNames;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/**
 * The main class of the {@code hawser} command.
 *
 * <p>Thread: main only.
 */
@Command(
        name = "hawser",
        description = "Moves files as reliable fragments: agent-a, broker and agent-b, and what goes with them.",
        synopsisSubcommandLabel = "COMMAND",
        footer = {
            "",
            "Try it:            hawser demo",
            "One command:       hawser broker --help",
            "Environment:       HAWSER_LOG=debug|info|warn|error, HAWSER_DEBUG=1 (stack traces), HAWSER_JAVA_OPTS",
            "Each option --some-name is also HAWSER_SOME_NAME, and a line in the file of --config."
        })
public final class Hawser {
    /** The option of every command that has keys. */
    static final String CONFIG_OPTION = "--config";

    private Hawser() {}

    /** Runs one command and ends the JVM with its exit code. */
    public static void main(String[] args) {
        LogSetup.apply(args.length == 0 ? "" : args[0], System.getenv("HAWSER_LOG"), isDebug());
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        int code;
        try {
            code = run(ServiceLoader.load(HawserCommand.class), System.getenv(), out, err, args);
        } catch (
                Throwable
                        e) { // an Error, which picocli lets through: the JVM ends all the same, but says why in a line
            code = Errors.report(e, err);
        }
        out.flush();
        System.exit(code);
    }

    /** Runs one command in this process and returns its exit code. */
    public static int run(
            Iterable<HawserCommand> commands,
            Map<String, String> environment,
            PrintWriter out,
            PrintWriter err,
            String... args) {
        CommandLine line = new CommandLine(new Hawser());
        Map<String, CommandLine> byName = new TreeMap<>();
        Map<String, List<? extends ConfigKey<?>>> keys = new HashMap<>();
        for (HawserCommand command : commands) {
            CommandLine child = new CommandLine(command);
            addKeys(child.getCommandSpec(), command.keys());
            byName.put(child.getCommandName(), child);
            keys.put(child.getCommandName(), command.keys());
        }
        byName.forEach(line::addSubcommand);
        addStandards(line);
        addVersion(line.getCommandSpec());
        // After the commands were added: picocli hands these down to those it knows.
        return line.setOut(out)
                .setErr(err)
                .setUsageHelpAutoWidth(true)
                .setParameterExceptionHandler((e, given) -> usageError(e, err))
                .setExecutionExceptionHandler((e, where, result) -> Errors.report(e, err))
                .setExecutionStrategy(result -> execute(result, environment, new KnownNames(keys)))
                .execute(args);
    }

    static boolean isDebug() {
        return "1".equals(System.getenv("HAWSER_DEBUG"));
    }

    private static int execute(ParseResult result, Map<String, String> environment, KnownNames known) {
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
            throw new CommandLine.ParameterException(spec.commandLine(), "a command is missing; see hawser --help");
        }
        List<String> problems = known.problemsOf(environment);
        if (!problems.isEmpty()) {
            return Errors.report(
                    new ConfigException(problems), spec.commandLine().getErr());
        }
        if (spec.userObject() instanceof HawserCommand command) {
            try {
                command.configure(config(spec.name(), command.keys(), last, environment, known));
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
            KnownNames known) {
        Map<String, String> flags = new HashMap<>();
        for (ConfigKey<?> key : keys) {
            String given = result.matchedOptionValue(key.flag(), (@Nullable String) null);
            if (given != null) {
                flags.put(key.name(), given);
            }
        }
        Optional<String> file = keys.isEmpty()
                ? Optional.empty()
                : Optional.<String>ofNullable(result.matchedOptionValue(CONFIG_OPTION, (@Nullable String) null))
                        .or(() -> Optional.ofNullable(environment.get("HAWSER_CONFIG")));
        return Config.of(
                command,
                keys,
                flags,
                environment,
                file.map(Path::of).map(Config::readFile).orElse(Map.of()),
                known);
    }

    private static void addKeys(CommandSpec spec, List<? extends ConfigKey<?>> keys) {
        for (ConfigKey<?> key : keys) {
            OptionSpec.Builder option = OptionSpec.builder(key.flag()).type(String.class);
            if (key.isToggle()) {
                option.arity("0").fallbackValue("true").description(key.sentence());
            } else {
                option.arity("1").paramLabel(key.label()).description(describe(key));
            }
            spec.addOption(option.build());
        }
        if (!keys.isEmpty()) {
            spec.addOption(OptionSpec.builder(CONFIG_OPTION)
                    .type(String.class)
                    .paramLabel("FILE")
                    .description(
                            "properties file with lines such as 'admin=off' or, of one command only, 'agent-a.streams=8'")
                    .build());
        }
    }

    private static String describe(ConfigKey<?> key) {
        String range = key.range().isEmpty() ? "" : ", " + key.range();
        String standard = key.defaultText() == null ? "" : " (default: " + key.defaultText() + ")";
        return (key.sentence() + range + standard).replace("%", "%%");
    }

    private static void addStandards(CommandLine line) {
        line.getCommandSpec()
                .addOption(OptionSpec.builder("-h", "--help")
                        .usageHelp(true)
                        .description("show this text")
                        .build());
        Map<String, String> codes = new LinkedHashMap<>();
        Arrays.stream(ExitCode.values()).forEach(code -> codes.put(Integer.toString(code.code()), code.meaning()));
        line.getCommandSpec()
                .usageMessage()
                .exitCodeListHeading("%nExit codes:%n")
                .exitCodeList(codes)
                .sortOptions(false)
                .descriptionHeading("%n")
                .parameterListHeading("%n")
                .optionListHeading("%n")
                .commandListHeading("%nCommands:%n");
        line.getSubcommands().values().forEach(Hawser::addStandards);
    }

    private static void addVersion(CommandSpec spec) {
        spec.version(Version.text())
                .addOption(OptionSpec.builder("--version")
                        .versionHelp(true)
                        .description("show the version")
                        .build());
    }

    private static int usageError(CommandLine.ParameterException e, PrintWriter err) {
        CommandLine where = e.getCommandLine();
        String name = where.getCommandSpec().qualifiedName();
        if (e instanceof CommandLine.UnmatchedArgumentException unmatched
                && !where.getSubcommands().isEmpty()
                && !unmatched.getUnmatched().get(0).startsWith("-")) {
            err.println("hawser: there is no command '"
                    + unmatched.getUnmatched().get(0) + "'; '" + name + " --help' lists those that there are");
            return ExitCode.USAGE.code();
        }
        err.println("hawser: " + e.getMessage());
        CommandLine.UnmatchedArgumentException.printSuggestions(e, err);
        err.println("Try '" + name + " --help'.");
        return ExitCode.USAGE.code();
    }
}
