package io.hawser.broker.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.model.NodeId;
import io.hawser.core.model.TransferId;
import io.hawser.core.model.TransferKey;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PayloadPartitionsTest {
    private static final int FRAGMENT = 1 << 20;

    private final PayloadPartitions partitions = new PayloadPartitions(6);

    private static TransferKey transfer(long number) {
        return new TransferKey(new NodeId(1, 2), TransferId.of(3, number, number));
    }

    @Test
    void aTransferKeepsItsPartition() {
        int first = partitions.begin(transfer(1), FRAGMENT);
        for (int i = 2; i < 100; i++) {
            int unused = partitions.begin(transfer(i), 10 * FRAGMENT);
        }
        assertThat(partitions.begin(transfer(1), FRAGMENT)).isEqualTo(first);
    }

    @Test
    void transfersSideBySideMeetInNoPartition() {
        for (boolean arrived : new boolean[] {false, true}) {
            Set<Integer> seen = new HashSet<>();
            for (int i = 0; i < 6; i++) {
                int partition = partitions.begin(transfer(i + (arrived ? 10 : 0)), FRAGMENT);
                seen.add(partition);
                if (arrived) {
                    partitions.end(partition, FRAGMENT);
                }
            }
            assertThat(seen).as("whose bytes have arrived: %s", arrived).hasSize(6);
        }
    }

    @Test
    void oneThatBeginsGoesWhereTheFewestBytesAreOnTheirWay() {
        for (int i = 0; i < 6; i++) {
            int unused = partitions.begin(transfer(i), FRAGMENT);
        }
        int third = partitions.begin(transfer(3), FRAGMENT);
        partitions.end(third, FRAGMENT);
        partitions.end(third, FRAGMENT);

        assertThat(partitions.begin(transfer(7), FRAGMENT)).isEqualTo(third);
    }
}
