package io.hawser.agentb.deliver;

/** A password that no log and no status page shows by accident. */
public final class Secret {
    private final String text;

    public Secret(String text) {
        this.text = text;
    }

    /** The password itself, for the one place that sends it. */
    public String reveal() {
        return text;
    }

    @Override
    public String toString() {
        return "(secret)";
    }
}
