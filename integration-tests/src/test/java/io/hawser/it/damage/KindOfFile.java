package io.hawser.it.damage;

import io.hawser.it.damage.Nodes.Part;
import java.util.Optional;
import java.util.regex.Pattern;

/** What a node keeps, by the path of the file below the nodes' directory. */
enum KindOfFile {
    BROKER_LOG_SEGMENT("broker/log/[0-9]{20}\\.log"),
    BROKER_LOG_LIST("broker/log/segments"),
    BROKER_LOG_ID("broker/log/log\\.id"),
    BROKER_SPARE("broker/log/spare-.*|broker/log/.*\\.spare"),
    BROKER_INDEX("broker/index/.*\\.mv\\.db|broker/index\\.mv\\.db"),
    BROKER_NODE_ID("broker/node\\.id"),
    BROKER_KNOWN_LOG("broker/known-log"),
    BROKER_EPOCH("broker/epoch"),
    BROKER_EVENTS_SEGMENT("broker/events/log/[0-9]{20}\\.log"),
    BROKER_EVENTS_LIST("broker/events/log/segments"),
    BROKER_EVENTS_ID("broker/events/log/log\\.id"),
    BROKER_EVENTS_INDEX("broker/events/index/.*"),
    SPOOL_JOURNAL_SEGMENT("agent-a/journal/[0-9]{20}\\.log"),
    SPOOL_JOURNAL_LIST("agent-a/journal/segments"),
    SPOOL_JOURNAL_ID("agent-a/journal/log\\.id"),
    SPOOL_JOURNAL_SPARE("agent-a/journal/spare-.*|agent-a/journal/.*\\.spare"),
    SPOOL_CONTENT("agent-a/data/.*\\.data"),
    SPOOL_LEAVES("agent-a/data/.*\\.leaves"),
    SPOOL_NODE_ID("agent-a/node\\.id"),
    SPOOL_KNOWN_LOG("agent-a/known-log"),
    SPOOL_EPOCH("agent-a/epoch"),
    SPOOL_BROKERS("agent-a/brokers"),
    SPOOL_TOPICS("agent-a/topics"),
    SPOOL_EVENTS_SEGMENT("agent-a/events/log/[0-9]{20}\\.log"),
    AGENT_B_EVENTS_SEGMENT("agent-b/events/log/[0-9]{20}\\.log"),
    AGENT_B_NODE_ID("agent-b/node\\.id"),
    AGENT_B_EPOCH("agent-b/epoch"),
    AGENT_B_TARGET("agent-b/target-b"),
    LANDING_JOURNAL_SEGMENT("into/\\.hawser-landing-b/journal/[0-9]{20}\\.log"),
    LANDING_JOURNAL_LIST("into/\\.hawser-landing-b/journal/segments"),
    LANDING_JOURNAL_ID("into/\\.hawser-landing-b/journal/log\\.id"),
    LANDING_JOURNAL_SPARE("into/\\.hawser-landing-b/journal/(spare-.*|.*\\.spare)"),
    LANDING_FILE("into/\\.hawser-landing-b/files/.*\\.part"),
    LANDING_LEAVES("into/\\.hawser-landing-b/files/.*\\.leaves"),
    LANDING_NODE_ID("into/\\.hawser-landing-b/node\\.id"),
    LANDING_KNOWN_LOG("into/\\.hawser-landing-b/known-log"),
    LANDING_EPOCH("into/\\.hawser-landing-b/epoch"),
    LANDING_AGENT_ID("into/\\.hawser-landing-b/agent\\.id"),
    /** Spare segments, and what the broker's event log stands for at the other nodes. */
    OTHER_EVENTS(".*/events/.*"),
    /** Empty, and of no meaning while no process holds it. */
    LOCK(".*/lock"),
    /** What was delivered is the consumer's. */
    DELIVERED("into/[^.].*");

    private final Pattern path;

    KindOfFile(String path) {
        this.path = Pattern.compile(path);
    }

    static Optional<KindOfFile> of(String path) {
        for (KindOfFile kind : values()) {
            if (kind.path.matcher(path).matches()) {
                return Optional.of(kind);
            }
        }
        return Optional.empty();
    }

    /** Whether anything depends on what is in it. */
    boolean holdsSomething() {
        return this != LOCK && this != DELIVERED && this != OTHER_EVENTS;
    }

    /** Whether it holds events: no transfer depends on it. */
    boolean isOfEvents() {
        return name().contains("_EVENTS_");
    }

    boolean isEventSegment() {
        return name().endsWith("_EVENTS_SEGMENT");
    }

    /** The node that keeps it. */
    Part part() {
        return switch (directory()) {
            case "broker" -> Part.BROKER;
            case "agent-a" -> Part.AGENT_A;
            default -> Part.AGENT_B;
        };
    }

    /** Which directory 'hawser fsck' is pointed at. */
    String directory() {
        String name = name();
        if (name.startsWith("BROKER")) {
            return "broker";
        } else if (name.startsWith("SPOOL")) {
            return "agent-a";
        }
        return name.startsWith("LANDING") ? "into" : "agent-b";
    }
}
