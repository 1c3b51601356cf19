package io.hawser.ops.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.hawser.core.config.Config;
import io.hawser.core.config.ConfigKey;
import io.hawser.core.config.HostPort;
import io.hawser.ops.observe.Json;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * A command that asks the admin pages of a node that runs, and shows the answer to people or, with {@code --json}, to
 * programs.
 */
public abstract class AdminCommand implements Subcommand {
    /** Where a broker's admin pages are. */
    static final ConfigKey<HostPort> BROKER_ADMIN =
            ConfigKey.hostPort("admin", "127.0.0.1:7480", "the admin address of the broker");
    /** Where any node's admin pages are. */
    static final ConfigKey<HostPort> ANY_ADMIN =
            ConfigKey.hostPort("admin", "127.0.0.1:7480", "the admin address of the broker, or of an agent");

    private final ConfigKey<HostPort> address;

    @Spec
    private CommandSpec spec;

    @Option(names = "--json", description = "print JSON")
    private boolean json;

    private Config config;

    /** @param address where the admin pages are */
    protected AdminCommand(ConfigKey<HostPort> address) {
        this.address = address;
    }

    @Override
    public final List<? extends ConfigKey<?>> keys() {
        return List.of(address, CommonNodeFlags.ADMIN_TOKEN, CommonNodeFlags.TLS);
    }

    @Override
    public final void configure(Config values) {
        config = values;
        check();
    }

    @Override
    public final Integer call() throws IOException {
        try {
            ask(AdminClient.of(config, address));
        } catch (JsonProcessingException e) {
            throw new CommandException(
                    ExitCode.CANNOT_CONNECT,
                    address.flag() + " " + config.get(address)
                            + " does not answer as a node of Hawser does; is it a node's --admin address?",
                    e);
        } finally {
            spec.commandLine().getOut().flush();
        }
        return ExitCode.OK.code();
    }

    /** Cross-checks of what was given, before the node is asked: throws ConfigException. */
    protected void check() {}

    /** Asks, and shows the answer with {@link #show}. A CommandException is for what is not a success. */
    protected abstract void ask(AdminClient client) throws IOException;

    /** Where the answer goes. */
    protected final PrintWriter out() {
        return spec.commandLine().getOut();
    }

    /** Writes the answer as JSON where that was asked for, else as {@code text} does. */
    protected final void show(Object answer, Text text) throws IOException {
        PrintWriter out = out();
        if (json) {
            out.println(Json.text(answer));
        } else {
            text.print(out);
        }
    }

    /** Whether the answer is to be JSON. */
    protected final boolean isJson() {
        return json;
    }

    /** An answer in words. */
    @FunctionalInterface
    protected interface Text {
        void print(PrintWriter out) throws IOException;
    }
}
