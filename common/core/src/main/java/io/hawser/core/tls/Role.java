package io.hawser.core.tls;

/** The role of a node in its certificate; it selects the pair of files in the key directory. */
public enum Role {
    BROKER("broker"),
    AGENT_A("agent-a"),
    AGENT_B("agent-b"),
    /** The Java API and the commands: send, status. */
    CLIENT("client");

    private final String fileName;

    Role(String fileName) {
        this.fileName = fileName;
    }

    /** The base name of its files, and the common name of its certificate. */
    public String fileName() {
        return fileName;
    }
}
