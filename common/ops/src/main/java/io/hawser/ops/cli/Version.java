package io.hawser.ops.cli;

/** Which Hawser this is. */
public final class Version {
    private Version() {}

    /** Hawser's version, as its jar says, and the Java that runs it; one line. */
    public static String text() {
        String version = Version.class.getPackage().getImplementationVersion();
        return "hawser " + (version == null ? "(not from a jar)" : version) + ", Java "
                + System.getProperty("java.version");
    }
}
