package io.hawser.ops.cli;

/** The headings below which {@code hawser help} lists the commands, in this order. */
public enum CommandSection {
    TRY("Try it on this machine"),
    NODES("Run a node"),
    SEND("Send files"),
    OPERATE("Look and operate"),
    SECURE("Keys and accounts"),
    HELP("Help");

    private final String heading;

    CommandSection(String heading) {
        this.heading = heading;
    }

    public String heading() {
        return heading;
    }
}
