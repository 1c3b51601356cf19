package io.hawser.broker.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TopicSettingsTest {
    private static TopicSettings topic(int copies, int partitions, Map<String, String> changed, boolean development) {
        Map<String, String> values = new HashMap<>(TopicSettings.made(development, 64 << 20));
        values.putAll(changed);
        return new TopicSettings("t", copies, partitions, values);
    }

    @Test
    void whatHawserMakesIsSafe() {
        assertThat(topic(3, 1, Map.of(), false).complaints(false, 1)).isEmpty();
        assertThat(topic(3, 6, Map.of(), false).complaints(false, 0)).isEmpty();
    }

    @Test
    void oneCopyIsForDevelopmentOnly() {
        assertThat(topic(1, 1, Map.of(), true).complaints(true, 1)).isEmpty();
        List<String> complaints = topic(1, 1, Map.of(), true).complaints(false, 1);
        assertThat(complaints).hasSize(2);
        assertThat(complaints.get(0)).contains("1 copies").contains("kafka-reassign-partitions.sh");
        assertThat(complaints.get(1)).contains("min.insync.replicas=1").contains("--add-config min.insync.replicas=2");
    }

    @ParameterizedTest
    @CsvSource({
        "min.insync.replicas, 1, 2",
        "unclean.leader.election.enable, true, false",
        "cleanup.policy, compact, delete",
        "cleanup.policy, 'compact,delete', delete",
        "retention.ms, 604800000, -1",
        "retention.bytes, 1000000, -1",
        "max.message.bytes, 1000, 2097152",
    })
    void whatWouldLoseRecordsIsNamedWithWhatToSet(String setting, String unsafe, String safe) {
        List<String> complaints = topic(3, 1, Map.of(setting, unsafe), false).complaints(false, 1);
        assertThat(complaints).hasSize(1);
        assertThat(complaints.get(0))
                .contains("topic t has " + setting + "=" + unsafe)
                .contains("kafka-configs.sh --alter")
                .contains("--add-config " + setting + "=" + safe);
    }

    @Test
    void theJournalHasOnePartition() {
        assertThat(topic(3, 2, Map.of(), false).complaints(false, 1))
                .singleElement()
                .satisfies(text -> assertThat(text).contains("2 partitions"));
    }
}
