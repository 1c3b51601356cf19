package io.hawser.ops.cli;

/** What the launcher found out about the terminal and told this JVM by properties. Thread: any. */
public final class Terminal {
    private Terminal() {}

    /** Whether standard output goes to a person. */
    public static boolean showsOutput() {
        return Boolean.getBoolean("hawser.terminal.out");
    }

    /** Whether standard error goes to a person. */
    public static boolean showsErrors() {
        return Boolean.getBoolean("hawser.terminal.err");
    }

    /** The command as it was typed, such as {@code ./hawser}. */
    static String command() {
        return System.getProperty("hawser.command", "hawser");
    }
}
