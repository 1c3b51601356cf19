package io.hawser.ops.cli;

/** Which Hawser this is. */
public final class Version {
    private Version() {}

    /** Hawser's version, as its jar says, and the Java that runs it; one line. */
    public static String text() {
        return "hawser " + number() + ", Java " + System.getProperty("java.version");
    }

    /** Hawser's version, as its jar says. */
    public static String number() {
        String version = Version.class.getPackage().getImplementationVersion();
        return version == null ? "(not from a jar)" : version;
    }
}
