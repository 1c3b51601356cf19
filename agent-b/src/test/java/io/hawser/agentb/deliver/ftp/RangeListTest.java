package io.hawser.agentb.deliver.ftp;

import static org.assertj.core.api.Assertions.assertThat;

import io.hawser.core.model.FragmentRanges;
import org.junit.jupiter.api.Test;

class RangeListTest {
    @Test
    void markersAreTakenUntilTheirRangesWouldFillTheHeap() {
        FragmentRanges ranges = new FragmentRanges();
        for (int run = 0; run < 2 * RangeList.MAX_RUNS; run++) {
            RangeList.addMarker(ranges, "111 Range Marker " + 2 * run + "-" + (2 * run + 1));
        }
        assertThat(ranges.runCount()).isEqualTo(RangeList.MAX_RUNS);
        assertThat(ranges.contains(0)).isTrue();
        assertThat(RangeList.text(ranges)).startsWith("0-1,2-3,");
    }
}
