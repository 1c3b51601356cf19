package io.hawser.broker.kafka;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * What a topic has to be like so that what it took is never lost: how it is made, and what is wrong with one that is there. Pure.
 *
 * @param name the topic
 * @param copies how many copies each partition has, the fewest of all
 * @param partitions how many it has
 * @param values its settings by their Kafka names
 */
record TopicSettings(String name, int copies, int partitions, Map<String, String> values) {
    static final int SAFE_COPIES = 3;
    private static final int SAFE_IN_SYNC = 2;
    static final int MAX_MESSAGE_BYTES = 2 << 20;
    /** A record of Kafka with a header of ours and some bytes: smaller ones would make thousands of parts. */
    private static final int MIN_MESSAGE_BYTES = 64 << 10;

    private static final String IN_SYNC = "min.insync.replicas";
    private static final String UNCLEAN = "unclean.leader.election.enable";
    private static final String CLEANUP = "cleanup.policy";
    private static final String RETENTION_TIME = "retention.ms";
    private static final String RETENTION_BYTES = "retention.bytes";
    private static final String MESSAGE_BYTES = "max.message.bytes";
    private static final String UNLIMITED = "-1";

    static Map<String, String> made(boolean development, int segmentBytes) {
        Map<String, String> settings = new LinkedHashMap<>();
        settings.put(IN_SYNC, Integer.toString(development ? 1 : SAFE_IN_SYNC));
        settings.put(UNCLEAN, "false");
        settings.put(CLEANUP, "delete");
        settings.put(RETENTION_TIME, UNLIMITED);
        settings.put(RETENTION_BYTES, UNLIMITED);
        settings.put(MESSAGE_BYTES, Integer.toString(MAX_MESSAGE_BYTES));
        settings.put("segment.bytes", Integer.toString(segmentBytes));
        settings.put("compression.type", "producer");
        return settings;
    }

    int maxMessageBytes() {
        return Integer.parseInt(values.getOrDefault(MESSAGE_BYTES, "0"));
    }

    /** What is unsafe, each with how to set it; empty if all is well. */
    List<String> complaints(boolean development, int expectedPartitions) {
        List<String> found = new ArrayList<>();
        if (!development) {
            if (copies < SAFE_COPIES) {
                found.add(String.format(
                        Locale.ROOT,
                        "a partition of topic %s has %d copies and needs %d or more: kafka-reassign-partitions.sh moves it, or delete the"
                                + " empty topic and let Hawser make it",
                        name,
                        copies,
                        SAFE_COPIES));
            }
            if (Long.parseLong(values.getOrDefault(IN_SYNC, "0")) < SAFE_IN_SYNC) {
                found.add(unsafe(IN_SYNC, "what was acknowledged could be on one node alone", SAFE_IN_SYNC + ""));
            }
        }
        if (Boolean.parseBoolean(values.get(UNCLEAN))) {
            found.add(unsafe(UNCLEAN, "a copy that lags could become the truth", "false"));
        }
        if (!"delete".equals(values.get(CLEANUP))) {
            found.add(unsafe(CLEANUP, "records would be dropped by their key", "delete"));
        }
        if (!UNLIMITED.equals(values.get(RETENTION_TIME))) {
            found.add(unsafe(RETENTION_TIME, "Kafka would delete by age what is still needed", UNLIMITED));
        }
        if (!UNLIMITED.equals(values.get(RETENTION_BYTES))) {
            found.add(unsafe(RETENTION_BYTES, "Kafka would delete by size what is still needed", UNLIMITED));
        }
        if (maxMessageBytes() < MIN_MESSAGE_BYTES) {
            found.add(unsafe(MESSAGE_BYTES, "fragments would be cut into very many records", MAX_MESSAGE_BYTES + ""));
        }
        if (expectedPartitions > 0 && partitions != expectedPartitions) {
            found.add(String.format(
                    Locale.ROOT,
                    "topic %s has %d partitions and must have %d: its order is the truth",
                    name,
                    partitions,
                    expectedPartitions));
        }
        return found;
    }

    private String unsafe(String setting, String why, String safe) {
        return String.format(
                Locale.ROOT,
                "topic %s has %s=%s (%s): kafka-configs.sh --alter --entity-type topics --entity-name %s --add-config %s=%s",
                name,
                setting,
                values.get(setting),
                why,
                name,
                setting,
                safe);
    }
}
