package io.hawser.it.client;

import io.hawser.ops.cli.Hawser;
import io.hawser.ops.cli.Subcommand;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;

/** What a command of {@code hawser} in this process said. */
record CommandResult(int code, String out, String err) {
    static CommandResult of(List<String> words) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = Hawser.run(
                ServiceLoader.load(Subcommand.class),
                Map.of(),
                new PrintWriter(out),
                new PrintWriter(err),
                words.toArray(String[]::new));
        return new CommandResult(code, out.toString(), err.toString());
    }
}
