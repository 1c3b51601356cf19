package io.hawser.ops.observe;

import java.util.Arrays;

/**
 * The codes of all warnings on {@code /health}. A code never changes its meaning, so that programs can act on it.
 */
public enum WarningCode {
    ACL("acl", "Correct the file of --acl; until then the previous rights stay in force."),
    BROKER_AWAY(
            "broker.away",
            "Start the broker, repair the network, or correct --broker; the node then resumes by itself."),
    CERTIFICATE(
            "certificate",
            "Renew the keys with 'hawser keys renew DIR', or mend the files; nodes read them by themselves."),
    DEAD_LETTERS("dead-letters", "Look at 'hawser dead list'; then 'hawser dead retry' or 'hawser dead drop'."),
    EVENTS(
            "events",
            "Make the receiver take events again. Once it was given up, restart the node: it gets the events that are kept."),
    EVENTS_LOST("events-lost", "Check the disk of the node's data directory; the history lacks what was lost."),
    FAILED("failed", "Look at 'hawser status' of agent-a, remove the cause that it names, and send the file again."),
    FILE_SYSTEM("file-system", "Move the directory to a local disk whose file system keeps what was forced."),
    FORECAST("forecast", "Remove the cause that the sentence names, or make room, before uploads have to wait."),
    INDEX_AHEAD(
            "index.ahead", "Check the disk (dmesg, smartctl). Upload again what was accepted and is not delivered."),
    INTO_PROBLEM(
            "into.problem", "Remove the cause that the sentence names at the far server; Hawser retries by itself."),
    KAFKA_SILENT("kafka.silent", "Start enough of Kafka's nodes for min.insync.replicas."),
    LANDING_DAMAGED("landing.damaged", "Check the disk; the log names what it changed."),
    LANDING_JOURNAL("landing.journal", "Check the disk, and compare what arrived."),
    LANDING_SPACE("landing.space", "Make room on the disk of the landing area, or lower --head-room."),
    LOG_DAMAGED(
            "log.damaged",
            "Check the disk (dmesg, smartctl); 'hawser fsck', with the broker stopped, lists the places."),
    LOST_AT_BROKER("lost-at-broker", "Upload again what the warning names; find out why the broker has older data."),
    NETWORK("network", "Take a thread dump (jcmd PID Thread.print): it shows what the network thread waits for."),
    REFUSED("refused", "Look at 'hawser status' of agent-a, remove the cause, and upload again."),
    SERVE_PROBLEM(
            "serve.problem", "Remove the cause that the sentence names at the far server; Hawser retries by itself."),
    SERVE_REFUSED("serve.refused", "Give the node the right that the sentence names, in --acl or in its certificate."),
    SPOOL_DAMAGED("spool.damaged", "Upload the named files again or delete them, and check the disk."),
    SPOOL_JOURNAL("spool.journal", "Check the disk, and upload again what did not arrive."),
    STORE("store", "Make the broker's store reachable, as the sentence says."),
    STORE_SPACE("store.space", "Make room on the broker's disk, or lower --head-room."),
    USERS("users", "Correct the users file; until then the previous accounts stay in force."),
    WITHOUT_RIGHT(
            "without-right",
            "Give the publisher the right that 'hawser status' names, in --acl or in its certificate."),
    STALLED_BROKER_AWAY(StallCause.BROKER_AWAY),
    STALLED_MEMBER_AWAY(StallCause.MEMBER_AWAY),
    STALLED_NO_SPACE(StallCause.NO_SPACE),
    STALLED_OTHER(StallCause.OTHER),
    STALLED_PATH_ORDER(StallCause.PATH_ORDER),
    STALLED_REFUSED(StallCause.REFUSED),
    STALLED_SUBSCRIPTION(StallCause.SUBSCRIPTION),
    STALLED_TARGET(StallCause.TARGET),
    STALLED_UNCLAIMED(StallCause.UNCLAIMED);

    private static final String STALLED = "stalled.";

    private final String word;
    private final String remedy;

    WarningCode(String word, String remedy) {
        this.word = word;
        this.remedy = remedy;
    }

    WarningCode(StallCause cause) {
        this("stalled." + cause.word(), cause.remedy() + ".");
    }

    /** The code in JSON, and the value of the label {@code code} in metrics. */
    public String word() {
        return word;
    }

    /** What to do, in general; the sentence of a warning says it of the case at hand. */
    public String remedy() {
        return remedy;
    }

    /** The code of what does not move for that cause. */
    static WarningCode of(StallCause cause) {
        return Arrays.stream(values())
                .filter(code -> code.word.equals(STALLED + cause.word()))
                .findFirst()
                .orElseThrow();
    }

    /** A warning that needs no subject. */
    public HealthWarning says(String sentence) {
        return about("", sentence);
    }

    /** @param subject what it is about, such as a directory's flag */
    public HealthWarning about(String subject, String sentence) {
        return new HealthWarning(word, subject, sentence);
    }
}
