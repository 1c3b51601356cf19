package io.hawser.release.drill;

import io.hawser.release.process.ProcessChain.Part;
import java.io.IOException;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How the pid of a node is found: a number, or a command that prints it, which is asked anew each time.
 */
record PidSource(Part node, String text) {
    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final Pattern NUMBER = Pattern.compile("[1-9][0-9]{0,9}");

    /** Whether it is good for one process only. */
    boolean isNumber() {
        return NUMBER.matcher(text).matches();
    }

    ProcessHandle find() throws IOException, InterruptedException {
        String said = isNumber() ? text : Shell.run(text, LIMIT);
        Matcher number = NUMBER.matcher(said);
        if (!number.matches()) {
            throw new IOException("'" + text + "' did not print the pid of the " + node.command() + ", but '"
                    + said.lines().findFirst().orElse("") + "'");
        }
        return NodeProcessCheck.require(Long.parseLong(said), node);
    }
}
